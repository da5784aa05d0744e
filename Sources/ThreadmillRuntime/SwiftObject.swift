#if os(Linux)
  import CThreadmillGate

  /// The names of classes and stored properties, read from an object in memory.
  ///
  /// It reads an object's words and those of its class as the runtime lays them out
  /// (swift/ABI/Metadata.h). If they do not fit to a class of its own, it names nothing.
  enum SwiftObject {
    /// Returns the stored property in which something lies, such as a lock that no call creates:
    /// `Bank.accounts`; `nil` if no object of a class lies around the address.
    static func property(at address: UInt) -> String? {
      isUnderstood ? readProperty(at: address) : nil
    }

    /// Returns the class of the object that begins at the address, such as an actor; `nil` if none
    /// does.
    static func nameOfClass(at address: UInt) -> String? {
      isUnderstood ? readClass(at: address, mostly: 0)?.name : nil
    }

    private static let isUnderstood: Bool = {
      let sample = Sample()
      return withExtendedLifetime(sample) {
        let start = UInt(bitPattern: Unmanaged.passUnretained(sample).toOpaque())
        return readProperty(at: start + 32) == "Sample.third"
      }
    }()

    private class SampleBase { let first = 1 }
    private final class Sample: SampleBase { let (second, third) = (2, 3) }

    /// The distance up to which an object's beginning is looked for.
    private static let farthest: UInt = 1024
    private static let alignment: UInt = 16
    private static let header: UInt = 16

    private static func readProperty(at address: UInt) -> String? {
      guard address > farthest else { return nil }
      var start = address & ~(alignment - 1)
      for _ in 0..<farthest / alignment {
        if address - start >= header, let found = readClass(at: start, mostly: address - start) {
          return found.property(at: address - start).map { "\(found.name).\($0)" }
        }
        start -= alignment
      }
      return nil
    }

    /// - Parameter mostly: an offset that lies in each object of the class.
    private static func readClass(at object: UInt, mostly offset: UInt) -> ClassWords? {
      guard let words = Words<(UInt, UInt)>(at: object)?.value, isCount(words.1) else { return nil }
      return ClassWords(at: words.0, mostly: offset)
    }

    /// Whether a word may be an object's count of references: in place, or in a side table.
    private static func isCount(_ word: UInt) -> Bool { word >> 62 == 3 || word & 1 == 1 }
  }

  /// A copy of something in memory, which may be gone.
  private struct Words<Value: BitwiseCopyable> {
    let value: Value

    init?(at address: UInt) {
      guard let from = UnsafeRawPointer(bitPattern: address) else { return nil }
      let copy = withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { room -> Value? in
        guard let to = room.baseAddress, tm_peek(from, to, MemoryLayout<Value>.size) else {
          return nil
        }
        return to.pointee
      }
      guard let copy else { return nil }
      value = copy
    }
  }

  /// What the runtime knows of a class.
  private struct ClassWords {
    /// The beginning of a class: kind, superclass, flags with the address point, size with the
    /// alignment, sizes of the class, description.
    private typealias Metadata = (
      kind: UInt, parent: UInt, flags: UInt32, point: UInt32, size: UInt32, alignment: UInt32,
      sizes: UInt, description: UInt
    )
    /// The description of a class, up to where its fields' offsets are.
    private typealias Description = (
      flags: UInt32, parent: Int32, name: Int32, access: Int32, fields: Int32, superclass: Int32,
      sizes: (UInt32, UInt32), members: UInt32, fieldCount: UInt32, offsets: UInt32
    )

    private let address: UInt
    private let metadata: Metadata
    private let description: Description

    /// - Parameter mostly: an offset that lies in each object of the class.
    init?(at address: UInt, mostly offset: UInt) {
      guard address % 8 == 0, let metadata = Words<Metadata>(at: address)?.value,
        metadata.kind == 0, metadata.point == 0, offset < metadata.size
      else { return nil }
      self.init(at: address, metadata)
    }

    private init?(at address: UInt, _ metadata: Metadata) {
      let (classKind, kinds, resilient): (UInt32, UInt32, UInt32) = (16, 0x1f, 1 << 29)
      var image = tm_image()
      guard metadata.description % 4 == 0, tm_image_at(metadata.description, &image),
        let description = Words<Description>(at: metadata.description)?.value,
        description.flags & kinds == classKind, description.flags & resilient == 0
      else { return nil }
      (self.address, self.metadata, self.description) = (address, metadata, description)
    }

    /// The name of the class, without its module.
    var name: String {
      guard let pointer = UnsafeRawPointer(bitPattern: address) else { return "" }
      return _typeName(unsafeBitCast(pointer, to: Any.Type.self), qualified: false)
    }

    /// The superclass, if it is one of Swift's with properties.
    private var parent: ClassWords? {
      Words<Metadata>(at: metadata.parent).flatMap { ClassWords(at: metadata.parent, $0.value) }
    }

    /// Returns the name of the stored property at an offset in an object, which a superclass may
    /// have declared.
    func property(at offset: UInt) -> String? {
      let vector = address + 8 * UInt(description.offsets)
      let index = (0..<UInt(description.fieldCount)).last { index in
        Words<UInt>(at: vector + 8 * index).map { $0.value <= offset } ?? false
      }
      guard let index else { return parent?.property(at: offset) }
      return nameOfField(index)
    }

    /// The fields' names lie behind the description, each by its distance from where that stands.
    private func nameOfField(_ index: UInt) -> String? {
      let (fields, head, record, name): (UInt, UInt, UInt, UInt) = (16, 16, 12, 8)
      guard description.fields != 0 else { return nil }
      let list = target(of: metadata.description + fields, description.fields)
      let place = list + head + record * index + name
      guard let distance = Words<Int32>(at: place)?.value,
        let text = UnsafePointer<CChar>(bitPattern: target(of: place, distance)),
        Words<CChar>(at: UInt(bitPattern: text)) != nil
      else { return nil }
      return String(cString: text)
    }

    private func target(of place: UInt, _ distance: Int32) -> UInt {
      place &+ UInt(bitPattern: Int(distance))
    }
  }
#endif
