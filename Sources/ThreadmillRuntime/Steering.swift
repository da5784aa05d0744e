#if os(Linux)
  import CThreadmillGate
  import ThreadmillModel

  /// How this process gets its threads into a cycle of locks.
  package enum Steering {
    /// The same place for another process of this program; `nil` outside of all images.
    package static func place(of address: UInt64) -> SteeringPlan.Place? {
      var image: UnsafePointer<CChar>?
      var offset: UInt64 = 0
      guard tm_place_named(UInt(address), &image, &offset), let image else { return nil }
      return SteeringPlan.Place(image: String(cString: image), offset: offset)
    }

    /// Makes the gate hold threads as the plan says; called before the session starts. Returns the
    /// plan's places in this process, `nil` if one of them is in code that is not loaded.
    package static func begin(_ plan: SteeringPlan) -> CyclePlaces? {
      var edges: [CyclePlaces.Edge] = []
      for edge in plan.edges {
        guard let outer = addresses(of: edge.outer), let inner = addresses(of: edge.inner) else {
          return nil
        }
        edges.append(CyclePlaces.Edge(outer: outer, inner: inner))
      }
      guard edges.count <= CyclePlaces.longest else { return nil }
      var told = tm_steer_plan()
      told.edge_count = UInt32(edges.count)
      told.milliseconds = UInt32(clamping: plan.milliseconds)
      withUnsafeMutableBytes(of: &told.edges) { bytes in
        let places = bytes.bindMemory(to: tm_steer_edge.self)
        for (index, edge) in edges.enumerated() {
          places[index] = tm_steer_edge(edge, skipped: plan.edges[index].skipped)
        }
      }
      tm_steer_begin(&told)
      return CyclePlaces(edges: edges)
    }

    private static func addresses(of places: [SteeringPlan.Place]) -> [UInt64]? {
      let addresses = places.compactMap { place -> UInt64? in
        let address = tm_place_at(place.image, place.offset)
        return address == 0 ? nil : UInt64(address)
      }
      return addresses.count == places.count ? addresses : nil
    }
  }

  extension tm_steer_edge {
    fileprivate init(_ edge: CyclePlaces.Edge, skipped: Int) {
      self.init()
      outer_count = Self.copy(edge.outer, to: &outer)
      inner_count = Self.copy(edge.inner, to: &inner)
      self.skipped = UInt32(clamping: skipped)
    }

    /// Returns how many there was room for.
    private static func copy<Frames>(_ addresses: [UInt64], to frames: inout Frames) -> UInt32 {
      withUnsafeMutableBytes(of: &frames) { bytes in
        let room = bytes.bindMemory(to: UInt.self)
        for (index, address) in addresses.prefix(room.count).enumerated() {
          room[index] = UInt(address)
        }
        return UInt32(min(addresses.count, room.count))
      }
    }
  }
#endif
