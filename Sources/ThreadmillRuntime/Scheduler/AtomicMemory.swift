#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel
  import ThreadmillScheduling

  /// The memory model of an exploration, and which variables of the program its locations are.
  ///
  /// A variable that has another value in memory than its newest store was changed by code that the
  /// model does not see. It goes on as a new one, with that value.
  struct AtomicMemory {
    private struct Variable {
      var location: Int
      var size: UInt32
    }

    /// With so many, the newest stores are all that is kept: what is known of other variables
    /// takes memory for each store.
    private static let mostVariables = 512

    private var model = WeakMemory()
    private var variables: [UInt: Variable] = [:]
    private var deinitialisation = Deinitialisation()

    /// The result of an access.
    struct Made {
      /// As far as it tells of a hand-over.
      let access: HandOver.Access
      /// `nil` if the machine may make the access.
      let remark: MemoryRemark?
    }

    mutating func removeAll() {
      model.removeAll()
      variables.removeAll(keepingCapacity: true)
    }

    mutating func order(_ ordering: tm_ordering, by strand: UInt32) {
      switch ordering {
      case TM_ORDERS: model.synchronise(strand)
      case TM_ENDS_JOB: model.endJob(of: strand)
      default: model.learnOfEndedJobs(strand)
      }
    }

    mutating func fence(_ order: Int32, by strand: UInt32, step: Int) -> HandOver.Access {
      let order = MemoryOrder(rawValue: order) ?? .sequential
      model.fence(order, by: strand)
      return HandOver.Access(.fence, step: step, strand: strand, order)
    }

    /// New variables begin at these addresses.
    mutating func forget(_ addresses: Range<UInt>) {
      // All addresses are more than an `Int` can count.
      let size = addresses.upperBound - addresses.lowerBound
      if size / 8 < UInt(variables.count) {
        let first = addresses.lowerBound & ~7
        for word in stride(from: first, to: addresses.upperBound, by: 8) {
          for address in word..<(word + 8) { variables[address] = nil }
        }
      } else {
        variables = variables.filter { !addresses.contains($0.key) }
      }
    }

    /// Makes the access that the program is about to make.
    ///
    /// - Parameters:
    ///   - step: its number, from 1.
    ///   - pick: chooses among so many ways, of which 0 is that of the machine.
    mutating func access(_ atomic: inout tm_atomic, step: Int, pick: (Int) -> Int) -> Made {
      let location = location(of: atomic)
      let order = MemoryOrder(rawValue: atomic.order) ?? .sequential
      let access = WeakMemory.Access(
        kind(of: atomic), at: location, by: atomic.flow, order, step: step)
      let newest = model.newest(location)
      let count = model.choices(for: access)
      var choice = count > 1 ? pick(count) : 0
      if choice > 0, deinitialisation.isUnderWay() { choice = 0 }
      let copy = atomic
      let effect = model.perform(access, choice) { Self.changed($0, by: copy) }
      let hasFailed = effect.written == nil && access.kind != .load
      let isStore = access.kind == .store
      let noted = HandOver.Access(
        isStore ? .store : .load(of: effect.read), step: step, strand: atomic.flow,
        hasFailed ? copy.failureOrder : order)
      guard choice > 0 else { return Made(access: noted, remark: nil) }
      atomic.value = tm_wide(effect.value)
      let remark = MemoryRemark(
        choice: choice, isStore: isStore, order: order,
        value: isStore ? atomic.operand.whole : effect.value, newest: newest)
      return Made(access: noted, remark: remark)
    }

    private mutating func location(of atomic: tm_atomic) -> Int {
      let address = UInt(bitPattern: atomic.address)
      if let known = variables[address], known.size == atomic.size,
        model.newest(known.location).value == atomic.value.whole
      {
        return known.location
      }
      if model.locationCount == Self.mostVariables { removeAll() }
      let location = model.addLocation(atomic.value.whole)
      variables[address] = Variable(location: location, size: atomic.size)
      return location
    }

    private func kind(of atomic: tm_atomic) -> WeakMemory.Access.Kind {
      switch UInt32(atomic.kind) {
      case TM_ATOMIC_LOAD.rawValue: .load
      case TM_ATOMIC_STORE.rawValue: .store
      // A weak exchange comes as a strong one: compilers tell nobody.
      case TM_ATOMIC_COMPARE.rawValue:
        .compareExchange(
          expected: atomic.expected.whole, failure: atomic.failureOrder)
      default: .update
      }
    }

    private static func changed(
      _ value: WeakMemory.Value, by atomic: tm_atomic
    ) -> WeakMemory.Value {
      let operand = atomic.operand.whole
      let new =
        switch UInt32(atomic.kind) {
        case TM_ATOMIC_ADD.rawValue: value &+ operand
        case TM_ATOMIC_SUBTRACT.rawValue: value &- operand
        case TM_ATOMIC_AND.rawValue: value & operand
        case TM_ATOMIC_OR.rawValue: value | operand
        case TM_ATOMIC_XOR.rawValue: value ^ operand
        default: operand
        }
      return atomic.size < 16 ? new & (1 << (8 * WeakMemory.Value(atomic.size)) - 1) : new
    }
  }

  extension tm_wide {
    fileprivate init(_ whole: WeakMemory.Value) {
      self.init(low: UInt64(truncatingIfNeeded: whole), high: UInt64(whole >> 64))
    }

    fileprivate var whole: WeakMemory.Value {
      WeakMemory.Value(high) << 64 | WeakMemory.Value(low)
    }
  }

  extension tm_atomic {
    fileprivate var failureOrder: MemoryOrder { MemoryOrder(rawValue: failure) ?? .sequential }
  }

  /// An access that did not see the newest store.
  package struct MemoryRemark {
    let choice: Int
    let isStore: Bool
    let order: MemoryOrder
    /// That was read, or stored.
    let value: WeakMemory.Value
    let newest: WeakMemory.Store

    /// - Parameter name: what to call whoever made the newest store.
    func text(name: (UInt32) -> String?) -> String {
      let maker = newest.strand.flatMap(name).map { " by \($0)" } ?? ""
      let other = "\(Self.word(newest.value)) was stored at step \(newest.step)\(maker)"
      if isStore {
        return "stores \(Self.word(value)) below what is there, although \(other)"
          + " (\(order.words) store, \(newest.order.words) store)"
      }
      return "reads \(Self.word(value)), although \(other)"
        + " (\(order.words) load, \(newest.order.words) store)"
    }

    /// Addresses are long.
    private static func word(_ value: WeakMemory.Value) -> String {
      value < 1 << 32 ? "\(value)" : "0x" + String(value, radix: 16)
    }
  }
#endif
