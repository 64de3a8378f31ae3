// The buttons in the picture above: a click sends the number of the row.
export default function ({ parentElement, data, setTriggerValue }) {
  const picture = parentElement.closest(`.st-key-${data.picture}`)
  if (!picture) return
  const click = (event) => {
    const button = event.target.closest("button[data-row]")
    if (button) setTriggerValue("row", Number(button.dataset.row))
  }
  picture.addEventListener("click", click)
  // The style of the page lets nobody click before.
  picture.dataset.listening = ""
  return () => {
    picture.removeEventListener("click", click)
    delete picture.dataset.listening
  }
}
