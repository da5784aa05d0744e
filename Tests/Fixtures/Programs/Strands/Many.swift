import Dispatch

let manyCases: [String: @Sendable () -> Void] = [
  // Many short blocks, of which each comes after the one before.
  "serialMany": {
    let box = Box()
    let queue = DispatchQueue(label: "many")
    for _ in 0..<2_000 { queue.async { box.n += 1 } }
    for _ in 0..<1_000 { queue.sync { box.n += 1 } }
    let other = DispatchQueue(label: "other", target: queue)
    for _ in 0..<2_000 { other.async { box.n += 1 } }
    other.sync { box.touch() }
  },
  // Many short blocks that nothing orders.
  "groupsMany": {
    let boxes = (0..<50).map { _ in Box() }
    for _ in 0..<40 {
      let group = DispatchGroup()
      for box in boxes { DispatchQueue.global().async(group: group) { box.n += 1 } }
      group.wait()
    }
  },
]
