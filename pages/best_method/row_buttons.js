// The buttons in the rows of the picture above: a click sends the number of the row.
export default function ({ parentElement, setTriggerValue }) {
  const picture = parentElement.closest(".st-key-standings")
  if (!picture) return
  const click = (event) => {
    const button = event.target.closest("button[data-row]")
    if (button) setTriggerValue("row", Number(button.dataset.row))
  }
  picture.addEventListener("click", click)
  return () => picture.removeEventListener("click", click)
}
