import CThreadmillAnnotations
import Dispatch

extension Confinement {
  /// The gate's record of something that belongs to one queue or one actor, while somebody watches;
  /// it ends with this object.
  ///
  /// Unchecked: the record is filled in by `init` and only read after that.
  @usableFromInline final class Watch: @unchecked Sendable {
    private let gate: UnsafePointer<tm_annotations>
    private let record: UnsafeMutablePointer<tm_confined>
    /// Its address is in the record.
    private let queue: DispatchQueue?

    private init(_ gate: UnsafePointer<tm_annotations>, queue: DispatchQueue?) {
      self.gate = gate
      record = .allocate(capacity: 1)
      record.initialize(to: tm_confined())
      self.queue = queue
    }

    /// `nil` if nobody watches, or if it is a global queue, which is nobody's place.
    convenience init?(of name: String, to queue: DispatchQueue) {
      guard let gate = Self.gate, let inner = queue.inner else { return nil }
      self.init(gate, queue: queue)
      guard gate.pointee.confine_to_queue(record, name, UnsafeRawPointer(inner)) else { return nil }
    }

    /// `nil` if nobody watches, or if the actor runs its code by means of its own, of which only
    /// its author knows what is where.
    ///
    /// The actor is not kept alive: it may well own what is confined to it.
    @available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
    convenience init?(of name: String, to actor: some Actor) {
      guard let gate = Self.gate else { return nil }
      let executor = actor.unownedExecutor
      if executor.identity == MainActor.sharedUnownedExecutor.identity {
        self.init(of: name, to: DispatchQueue.main)
        return
      }
      let identity = Unmanaged.passUnretained(actor).toOpaque()
      guard executor.identity == UInt(bitPattern: identity) else { return nil }
      self.init(gate, queue: nil)
      let place = "\(type(of: actor))"
      guard gate.pointee.confine_to_actor(record, name, identity, place) else { return nil }
    }

    deinit {
      gate.pointee.end(record)
      record.deallocate()
    }

    /// A finding, if the calling code certainly runs elsewhere.
    @usableFromInline func check() { gate.pointee.check(record) }

    /// The gate that watches this program; `nil` if there is none.
    private static var gate: UnsafePointer<tm_annotations>? {
      tm_annotations_find().flatMap { $0.pointee.is_active() ? $0 : nil }
    }
  }
}

extension UnownedSerialExecutor {
  /// The first of the two words of a serial executor: the object that it is. A default actor is
  /// its own executor.
  fileprivate var identity: UInt { unsafeBitCast(self, to: (UInt, UInt).self).0 }
}

extension DispatchQueue {
  /// libdispatch's queue, which the Swift object wraps; the overlay gives it to nobody, but its
  /// only stored property is there to be seen.
  fileprivate var inner: OpaquePointer? {
    Mirror(reflecting: self).children.lazy.compactMap { $0.value as? OpaquePointer }.first
  }
}
