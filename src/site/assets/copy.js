/* Copies the text of the field before a button; without this script, the text can be selected. */
for (const button of document.querySelectorAll('.copy')) {
  const field = button.previousElementSibling;
  const label = button.firstChild;
  const before = label.data;
  button.addEventListener('click', () => {
    field.focus();
    field.select();
    // Unlike the clipboard of the browser, this also works on pages without https.
    const isCopied = document.execCommand('copy');
    button.focus();
    if (isCopied) label.data = button.dataset.copied;
  });
  button.addEventListener('blur', () => {
    label.data = before;
  });
}
