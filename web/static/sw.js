// Store all files of the site at the first visit, so that the box starts without a network.
const VERSION = "@VERSION@";
const FILES = ["@FILES@"];
// Ask the server for each file, because the browser's cache may contain files of an older release.
const newest = (file) => new Request(file, { cache: "no-cache" });
self.addEventListener("install", (event) =>
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES.map(newest))).then(() => self.skipWaiting())));
self.addEventListener("activate", (event) =>
  event.waitUntil(caches.keys()
    .then((names) => Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name))))
    .then(() => self.clients.claim())));
self.addEventListener("fetch", (event) =>
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request))));
