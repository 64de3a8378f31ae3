/* The main parameter of the method. While it is dragged the answer beside the chapters follows. */
export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".knob")
  root.data = data
  root.send = setTriggerValue
  if (!root.slider || root.label !== data.label) createKnob(root)
  // A run of the page in the meantime does not take the value out of somebody's hand.
  if (!root.isMoving) draw(root)
}

function createKnob(root) {
  const { label } = root.data
  root.label = label
  root.isMoving = false
  root.number = element("b", {})
  root.note = element("span", { class: "knob-note" })
  root.slider = createSlider({
    label,
    onMove: (index) => {
      root.isMoving = true
      show(root, index)
    },
    onRelease: (index) => {
      root.isMoving = false
      if (index === root.data.index) draw(root)
      else root.send("moved", index)
    },
  })
  const head = element("p", { class: "knob-head" }, `${label} `, root.number, root.note)
  root.replaceChildren(head, root.slider.node)
}

function draw(root) {
  const { values, index, flips, note } = root.data
  root.number.textContent = String(values[index])
  root.note.textContent = note
  root.slider.update({ values, index, isDisabled: false, flips })
  endPreview()
}

function show(root, index) {
  const { values, orders, state_of_value } = root.data
  root.number.textContent = String(values[index])
  previewRanking(orders[state_of_value[index]])
}
