/* The main parameter of the method. While it is dragged the answer beside the chapters follows. */
export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".knob")
  root.data = data
  root.send = setTriggerValue
  if (!root.slider || root.label !== data.label) {
    root.label = data.label
    root.number = element("b", {})
    root.note = element("span", { class: "knob-note" })
    root.slider = createSlider({
      label: data.label,
      onMove: (index) => show(root, index),
      onRelease: (index) => {
        if (index === root.data.index) endPreview()
        else root.send("moved", index)
      },
    })
    const head = element("p", { class: "knob-head" }, `${data.label} `, root.number, root.note)
    root.replaceChildren(head, root.slider.node)
  }
  root.number.textContent = String(data.values[data.index])
  root.note.textContent = data.note
  root.slider.update({ values: data.values, index: data.index, isDisabled: false, flips: data.flips })
  endPreview()
}

function show(root, index) {
  const { values, orders, state_of_value } = root.data
  root.number.textContent = String(values[index])
  previewRanking(orders[state_of_value[index]])
}
