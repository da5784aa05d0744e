import ThreadmillModel

extension ComponentOrder {
  /// Puts components next to each other, in the order given, where one of them was. The place must
  /// be nobody else's.
  ///
  /// Constant for each of them. When the place has become too narrow, the whole order is laid out
  /// anew: after it was halved 32 times.
  mutating func put(_ group: [ComponentID], at place: Place) {
    let width = place.width / group.count
    for (index, component) in group.enumerated() {
      components[component]?.place = Place(start: place.start + index * width, width: width)
    }
    if width == 0 { layOut(neighbours: group) }
  }

  /// A place before or behind all others.
  mutating func newPlace(atFront: Bool) -> Place {
    if occupied.count > Place.mostOccupied { layOut() }
    let start = atFront ? occupied.lowerBound - Place.fullWidth : occupied.upperBound
    let end = start + Place.fullWidth
    occupied = min(occupied.lowerBound, start)..<max(occupied.upperBound, end)
    return Place(start: start)
  }

  /// Gives every component a full place again, in the order that they have, and `neighbours`, which
  /// have one place together, in the order given.
  private mutating func layOut(neighbours: [ComponentID] = []) {
    let rank = Dictionary(uniqueKeysWithValues: zip(neighbours, 0...))
    let inOrder = components.inOrder { one, other in
      (one.value.place.start, rank[one.key, default: 0])
        < (other.value.place.start, rank[other.key, default: 0])
    }
    visited += inOrder.count
    for (index, entry) in inOrder.enumerated() {
      components[entry.key]?.place = Place(start: index * Place.fullWidth)
    }
    occupied = 0..<(inOrder.count * Place.fullWidth)
  }
}
