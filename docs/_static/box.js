// A click on a still picture of the box loads the box in place of the picture.
for (const link of document.querySelectorAll("figure.live > a"))
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const title = link.firstElementChild.alt;
    const box = Object.assign(document.createElement("iframe"), { src: link.href, title, allow: "autoplay" });
    link.replaceWith(box);
    box.focus();
  });
