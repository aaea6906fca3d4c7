// Sortable tables and local times, for pages without live updates.

function value(row, column) {
  const cell = row.cells[column];
  const text = cell.dataset.key ?? cell.textContent;
  const number = Number(text);
  return text !== '' && !Number.isNaN(number) ? number : text;
}

function sort(table, column, head) {
  const down = head.getAttribute('aria-sort') !== 'descending';
  for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const rows = [...table.tBodies[0].rows].sort((a, b) => {
    const [x, y] = [value(a, column), value(b, column)];
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y));
    return down ? -order : order;
  });
  table.tBodies[0].append(...rows);
}

export function start() {
  for (const table of document.querySelectorAll('table.sorts')) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement('button');
      button.textContent = head.textContent;
      button.addEventListener('click', () => sort(table, column, head));
      head.replaceChildren(button);
    });
  }
  const { lang } = document.documentElement;
  const own = navigator.languages.find((one) => one.split('-')[0] === lang);
  const format = new Intl.DateTimeFormat(own ?? lang, { dateStyle: 'medium', timeStyle: 'short' });
  for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime));
}
