extension WeakMemory {
  /// The value of a variable: atomic accesses have at most 16 bytes.
  package typealias Value = UInt128

  /// One access of a strand to an atomic variable.
  package struct Access: Sendable {
    package enum Kind: Sendable, Equatable {
      case load
      case store
      /// Reads a value, and replaces it.
      case update
      /// Does so only if the value is the expected one. A weak exchange may also fail without
      /// reason.
      case compareExchange(expected: Value, isWeak: Bool = false, failure: MemoryOrder)
    }

    package var kind: Kind
    /// A number that ``WeakMemory/addLocation(_:)`` returned.
    package var location: Int
    package var strand: UInt32
    package var order: MemoryOrder
    /// The number of the step, for people.
    package var step: Int

    package init(
      _ kind: Kind, at location: Int, by strand: UInt32, _ order: MemoryOrder, step: Int = 0
    ) {
      (self.kind, self.location, self.strand) = (kind, location, strand)
      (self.order, self.step) = (order, step)
    }
  }

  /// What an access came to.
  package struct Effect: Sendable {
    /// The value that was read; for a store, the value before it in the modification order.
    package var value: Value
    /// The value that is written; `nil` for a load, and for an exchange that failed.
    package var written: Value?
    /// The step of the store that was read; 0 for the initial value.
    package var read = 0
  }

  /// One store, or the initial value of a location.
  package struct Store: Sendable {
    package let value: Value
    /// `nil` for the initial value.
    package let strand: UInt32?
    package let step: Int
    package let order: MemoryOrder
    /// Whether it belongs to an access that read the store before it. Nothing comes between these
    /// two.
    let isUpdate: Bool
    /// What an acquiring load of this store learns.
    var released: View
    /// Rises along the modification order.
    var rank: Int
  }

  /// For each location, by its number, the latest store that is known: its number in the location.
  /// Locations behind the end are known by their initial value.
  typealias View = [Int32]
}
