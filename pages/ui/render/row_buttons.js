// The buttons in the picture above: a click sends the number of the row.
export default function ({ parentElement, data, setTriggerValue }) {
  const picture = parentElement.closest(`.st-key-${data.picture}`)
  if (!picture) return
  const click = (event) => {
    const button = event.target.closest("button[data-row]")
    if (button) setTriggerValue("row", Number(button.dataset.row))
  }
  picture.addEventListener("click", click)
  // The one of a run before may end after that of the next has begun.
  const listeners = (picture.rowListeners ??= new Set()).add(click)
  // The style of the page lets nobody click before.
  picture.dataset.listening = ""
  return () => {
    picture.removeEventListener("click", click)
    listeners.delete(click)
    if (!listeners.size) delete picture.dataset.listening
  }
}
