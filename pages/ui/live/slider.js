/* A slider over the values of a parameter. While it is dragged `onMove(index)` is called in every
   frame; `onRelease(index)` once the pointer or the keys have come to rest. */
const REST_MS = 350

function createSlider({ label, onMove, onRelease }) {
  const fillBar = element("span", { class: "slider-fill" })
  const thumb = element("span", { class: "slider-thumb" })
  const marks = element("span", { class: "slider-marks", "aria-hidden": "true" })
  const ends = element("span", { class: "slider-ends", "aria-hidden": "true" })
  const node = element(
    "div",
    { class: "slider", role: "slider", tabindex: "0", "aria-label": label },
    element("span", { class: "slider-track" }),
    fillBar,
    marks,
    thumb,
    ends,
  )
  let values = []
  let index = 0
  let isDisabled = false
  let frame = 0
  let timer = 0

  const share = (place) => (values.length > 1 ? (100 * place) / (values.length - 1) : 0)

  function draw() {
    thumb.style.left = fillBar.style.width = `${share(index)}%`
    node.setAttribute("aria-valuenow", index + 1)
    node.setAttribute("aria-valuemin", 1)
    node.setAttribute("aria-valuemax", values.length)
    node.setAttribute("aria-valuetext", String(values[index]))
  }

  function moveTo(place) {
    const target = clamp(Math.round(place), 0, values.length - 1)
    if (isDisabled || target === index) return
    index = target
    draw()
    if (!frame)
      frame = requestAnimationFrame(() => {
        frame = 0
        onMove(index)
      })
  }

  function release(after = 0) {
    clearTimeout(timer)
    timer = setTimeout(() => onRelease(index), after)
  }

  function placeAt(event) {
    const box = node.getBoundingClientRect()
    return ((event.clientX - box.left) / box.width) * (values.length - 1)
  }

  node.addEventListener("pointerdown", (event) => {
    if (isDisabled || event.button !== 0) return
    node.setPointerCapture(event.pointerId)
    clearTimeout(timer)
    moveTo(placeAt(event))
  })
  node.addEventListener("pointermove", (event) => {
    if (node.hasPointerCapture(event.pointerId)) moveTo(placeAt(event))
  })
  node.addEventListener("pointerup", () => release())
  node.addEventListener("keydown", (event) => {
    const steps = {
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: 10,
      PageDown: -10,
      Home: -Infinity,
      End: Infinity,
    }
    if (isDisabled || !(event.key in steps)) return
    event.preventDefault()
    moveTo(clamp(index + steps[event.key], 0, values.length - 1))
    release(REST_MS)
  })

  return {
    node,
    update(next) {
      values = next.values
      index = next.index
      isDisabled = next.isDisabled
      node.setAttribute("aria-disabled", isDisabled)
      marks.replaceChildren(
        ...next.flips.map((place) => element("i", { style: `left:${share(place)}%` })),
      )
      ends.replaceChildren(
        element("span", {}, String(values[0])),
        element("span", {}, next.note ?? ""),
        element("span", {}, String(values.at(-1))),
      )
      draw()
    },
  }
}
