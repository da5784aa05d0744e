import ThreadmillModel

/// The entry of a declared instance.
package struct KnownObject: Sendable {
  package let kind: SharedObject.Kind
  package let label: String?
  private let address: UInt64
  private let created: StoredStack

  package init(_ object: SharedObject) {
    kind = object.kind
    label = object.label
    address = object.address
    created = StoredStack(object.created)
  }

  package func object(_ lock: LockID) -> SharedObject {
    SharedObject(
      id: lock, kind: kind, label: label, address: address, created: created.backtrace)
  }

  /// The place at which instances like this one are created; `nil` if no call created it.
  package var creationSite: [UInt64]? {
    let addresses = created.addresses
    return addresses.isEmpty ? nil : addresses
  }
}
