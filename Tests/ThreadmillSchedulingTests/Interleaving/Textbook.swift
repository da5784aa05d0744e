import ThreadmillMachine

// The programs on which reductions are measured since C. Flanagan, P. Godefroid, "Dynamic
// Partial-Order Reduction for Model Checking Software", POPL 2005, and P. A. Abdulla et al.,
// "Optimal Dynamic Partial Order Reduction", POPL 2014. Written from their descriptions.
extension Program {
  /// Threads that each give a block of a disk to an inode, under a lock for each of them.
  static func fileSystem(_ threads: Int) -> Program {
    let (inodes, blocks) = (32, 26)
    /// Takes the block if it is free, and leaves out the other tries then.
    func take(_ block: Int, for inode: Int, leavingOut rest: Int) -> [Instruction] {
      [
        .lock(inodes + block), .read(.constant(block), into: 1),
        .skipIf(.register(1), .unequal, 0, 4), .write(.constant(block), 1),
        .write(.constant(blocks + inode), 1), .unlock(inodes + block), .skip(rest + 1),
        .unlock(inodes + block),
      ]
    }
    let strands = (0..<threads).map { thread in
      let inode = thread % inodes
      let tries = (0..<3).flatMap { number in
        take((inode * 2 + number) % blocks, for: inode, leavingOut: (2 - number) * 8)
      }
      return [.lock(inode), .read(.constant(blocks + inode), into: 0)]
        + [.skipIf(.register(0), .unequal, 0, tries.count)] + tries + [.unlock(inode)]
    }
    return Program(
      "file-system-\(threads)", cells: Array(repeating: 0, count: inodes + blocks),
      mutexes: inodes + blocks, strands: strands)
  }

  /// Threads that each put four messages into a table of 128 places, next to one that is taken.
  static func indexer(_ threads: Int) -> Program {
    let strands = (0..<threads).map { thread in
      (1...4).flatMap { message -> [Instruction] in
        let number = message * 11 + thread
        return [
          .set(1, .constant(number * 7 % 128)),
          .compareAndSwap(.register(1), expected: 0, desired: .constant(number), into: 0),
          .skipIf(.register(0), .equal, 1, 2), .add(1, 1), .skip(-4),
        ]
      }
    }
    return Program(
      "indexer-\(threads)", cells: Array(repeating: 0, count: 140), strands: strands)
  }

  /// One thread looks for the last cell that is zero, and each of the others makes its cell one
  /// more than the cell before.
  static func lastZero(_ others: Int) -> Program {
    let search: [Instruction] = [
      .set(0, .constant(others)), .read(.register(0), into: 1),
      .skipIf(.register(1), .equal, 0, 2), .add(0, .constant(-1)), .skip(-4),
    ]
    let raisings: [[Instruction]] = (1...others).map { cell in
      [.read(.constant(cell - 1), into: 0), .add(0, 1), .write(.constant(cell), .register(0))]
    }
    return Program(
      "last-zero-\(others)", cells: Array(repeating: 0, count: others + 1),
      strands: [search] + raisings)
  }

  /// One thread writes a cell that all others read, each after a cell of its own.
  static func readers(_ count: Int) -> Program {
    let readers: [[Instruction]] = (1...count).map {
      [.read(.constant($0), into: 0), .read(0, into: 1)]
    }
    return Program(
      "readers-\(count)", cells: Array(repeating: 0, count: count + 1),
      strands: [[.write(0, 1)]] + readers)
  }
}
