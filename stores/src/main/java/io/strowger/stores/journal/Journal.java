package io.strowger.stores.journal;

import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.store.StoreUnavailableException;
import io.strowger.stores.files.OwnerOnlyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The items a node writes, in files of a directory that the node has to itself while it runs. An
 * item that was appended survives any end of the process; it survives a power loss once it was
 * {@linkplain #force forced}.
 *
 * <p>Safe on any thread. There are two locks. {@code lock} guards the files; it is held while items
 * are written, but not while the disk is forced. {@code forceLock} is held during a force, so that
 * there is one at a time. A thread that needs both takes {@code forceLock} first.
 *
 * <p>Threads that append at the same time are grouped: a thread that finds {@code lock} taken
 * queues its items, and the thread that holds the lock writes them, too.
 */
public final class Journal implements AutoCloseable {
  /**
   * How long a file is kept after everything in it was delivered to a database server, since a
   * standby server that takes over may not have all of it.
   */
  public static final Duration SERVER_FILE_RETENTION = Duration.ofMinutes(10);

  private static final int SEGMENT_BYTES = 16 << 20;
  private static final int MAX_GROUP_BYTES = 1 << 20; // about; the last item may exceed it
  private static final int MAX_ROUNDS = 4; // groups that one thread writes for others
  private static final long UNKNOWN = -1; // a forcedNumber that no item has
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private final Ambient ambient;
  private final Setup setup;
  private final DirectoryLock directoryLock;
  private final UUID node;
  private final JournalFrame journalFrame;
  private final List<EndedJournal> endedJournals;
  private final Queue<PendingWrite> pendingWrites = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock forceLock = new ReentrantLock(); // taken first if both are needed
  private final Segments segments; // guarded by lock
  private boolean closed; // guarded by lock
  private @Nullable IOException forceFailure; // why the last force failed; guarded by both locks

  // the number of the next item if all items before it are on the disk, otherwise UNKNOWN; guarded
  // by forceLock
  private long forcedNumber;

  /**
   * The settings of a journal.
   *
   * @param boot the boot id of the machine; empty when that is not known
   * @param segmentBytes the size in bytes at which a new file is begun
   * @param fileRetention how long a file is kept at least, even when everything in it was delivered
   */
  record Setup(
      Path directory,
      JournalFileSystem fileSystem,
      String boot,
      long segmentBytes,
      Duration fileRetention) {}

  private Journal(Setup setup, DirectoryLock directoryLock, Ambient ambient) throws IOException {
    this.setup = setup;
    this.directoryLock = directoryLock;
    this.ambient = ambient;
    this.endedJournals = JournalScanner.of(setup.directory(), setup.boot());
    this.node = new UUID(ambient.seed(), ambient.seed());
    this.journalFrame = new JournalFrame(node);
    this.segments =
        new Segments(
            setup.directory(), setup.fileSystem(), node, setup.boot(), setup.segmentBytes());
  }

  /**
   * Begins a new journal beside those that earlier processes left.
   *
   * @param directory the directory; created when it does not exist
   * @param fileRetention how long a file is kept at least, even when everything in it was
   *     delivered; zero for no longer than needed
   * @throws IOException with a message for the operator: when another process uses the directory, a
   *     journal in it is damaged or was written by a newer version, or it cannot be written to
   */
  public static Journal open(Path directory, Ambient ambient, Duration fileRetention)
      throws IOException {
    return open(
        new Setup(directory, JournalFileSystem.system(), bootId(), SEGMENT_BYTES, fileRetention),
        ambient);
  }

  static Journal open(Setup setup, Ambient ambient) throws IOException {
    OwnerOnlyFiles.createDirectories(setup.directory());
    OwnerOnlyFiles.restrictToOwner(setup.directory()); // an earlier version let other users in
    DirectoryLock directoryLock = DirectoryLock.acquire(setup.directory());
    try {
      return new Journal(setup, directoryLock, ambient);
    } catch (IOException | RuntimeException e) {
      directoryLock.close();
      throw e;
    }
  }

  /** Returns the boot id of the machine; empty where there is none. */
  private static String bootId() throws IOException {
    if (!Files.isReadable(BOOT_ID)) {
      return "";
    }
    String id = Files.readString(BOOT_ID).strip();
    return id.length() <= SegmentHeader.MAX_BOOT ? id : "";
  }

  /** Returns the id of this process, unique among all that ever wrote a journal. */
  public UUID node() {
    return node;
  }

  /** Returns the {@link EndedJournal#boot} of this journal. */
  public String boot() {
    return setup.boot();
  }

  /** Returns the journals that earlier processes left in the directory. */
  public List<EndedJournal> endedJournals() {
    return endedJournals;
  }

  /**
   * Appends an item. Does not wait for the disk.
   *
   * @throws StoreUnavailableException when the item cannot be written; it is then not in the
   *     journal, unless the process ends before the remains of the failed write could be cut off
   */
  public JournalPosition append(JournalItem item) {
    return append(journalFrame.seal(ItemCodec.pack(item)), 1);
  }

  /**
   * Appends two items in one write: both or none.
   *
   * @return the position of the second
   * @throws StoreUnavailableException as {@link #append(JournalItem)}
   */
  public JournalPosition append(JournalItem item, JournalItem second) {
    byte[] firstFrame = journalFrame.seal(ItemCodec.pack(item));
    byte[] secondFrame = journalFrame.seal(ItemCodec.pack(second));
    byte[] frames = Arrays.copyOf(firstFrame, Math.addExact(firstFrame.length, secondFrame.length));
    System.arraycopy(secondFrame, 0, frames, firstFrame.length, secondFrame.length);
    JournalPosition position = append(frames, 2);
    return new JournalPosition(
        position.number() + 1, position.file(), position.offset() + firstFrame.length);
  }

  /**
   * Appends the frames of items in one write, here or by the thread that holds the lock. Returns
   * the position of the first item.
   */
  private JournalPosition append(byte[] frames, int items) {
    if (lock.tryLock()) {
      try {
        if (pendingWrites.isEmpty()) {
          return write(frames, items);
        }
      } catch (IOException e) {
        throw cannotWrite(e);
      } finally {
        writePendingAndUnlock();
      }
    }
    return appendGrouped(frames, items);
  }

  private static StoreUnavailableException cannotWrite(@Nullable Throwable cause) {
    return new StoreUnavailableException("the journal cannot be written", cause);
  }

  /** Queues frames, and waits until this thread or another one has written them. */
  private JournalPosition appendGrouped(byte[] frames, int items) {
    var pending = new PendingWrite(frames, items);
    pendingWrites.add(pending);
    boolean interrupted = false;
    while (pending.isWaiting()) {
      if (lock.tryLock()) {
        writePendingAndUnlock(); // also writes the item of this thread
      } else {
        LockSupport.park(this);
        interrupted |= Thread.interrupted(); // parking again would return at once
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return pending.positionOrThrow();
  }

  /**
   * Releases the lock after writing the items that other threads wait to write, so that each of
   * these threads is woken only once, when its item is written. The number of rounds is bounded. If
   * items are left over, the thread of the first one is woken to write them.
   */
  private void writePendingAndUnlock() {
    try {
      for (int i = 0; i < MAX_ROUNDS && !pendingWrites.isEmpty(); i++) {
        writeGroup();
      }
    } finally {
      lock.unlock();
    }
    PendingWrite next = pendingWrites.peek();
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
  }

  /**
   * Writes a group of queued items, and wakes their threads. Throws nothing: the items of the
   * current thread may already be written even if these cannot be.
   */
  private void writeGroup() {
    List<PendingWrite> group = List.of();
    Throwable failure = null;
    try {
      group = new ArrayList<>();
      int bytes = 0;
      int items = 0;
      PendingWrite next = pendingWrites.peek();
      while (next != null) {
        group.add(next);
        // only now: everything in the group is completed or failed below
        pendingWrites.remove();
        bytes += next.frames.length;
        items += next.items;
        next = bytes < MAX_GROUP_BYTES ? pendingWrites.peek() : null;
      }
      JournalPosition position = write(join(group, bytes), items);
      long number = position.number();
      long offset = position.offset();
      for (PendingWrite pending : group) {
        pending.complete(new JournalPosition(number, position.file(), offset));
        number += pending.items;
        offset += pending.frames.length;
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e; // reported to the threads of the group
    } finally {
      for (PendingWrite pending : group) {
        pending.fail(failure);
      }
    }
  }

  /** Writes frames to the current file. Called under the lock. */
  private JournalPosition write(byte[] frames, int items) throws IOException {
    if (closed) {
      throw new IOException("the journal is closed");
    }
    if (forceFailure != null) {
      throw new IOException("an earlier write could not be forced to the disk", forceFailure);
    }
    try {
      return segments.write(frames, items);
    } catch (IOException e) {
      try {
        segments.mend();
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed); // the remains are cut off before the next write
      }
      throw e;
    }
  }

  private static byte[] join(List<PendingWrite> group, int bytes) {
    if (group.size() == 1) {
      return group.getFirst().frames;
    }
    byte[] joined = new byte[bytes];
    int offset = 0;
    for (PendingWrite pending : group) {
      System.arraycopy(pending.frames, 0, joined, offset, pending.frames.length);
      offset += pending.frames.length;
    }
    return joined;
  }

  /**
   * Waits until everything that was appended before is on the disk itself. When that fails, nothing
   * can be appended until a later call succeeds. That call first writes again what was not forced:
   * after a failure, the operating system may report success for data that it has dropped.
   */
  public void force() throws IOException {
    forceLock.lock();
    try {
      Segments.ForceWork work = withLock(segments::forceWork);
      if (work.before() == forcedNumber || work.parts().isEmpty()) {
        return;
      }
      try {
        if (forceFailure != null) {
          work.rewrite(journalFrame);
        }
        work.run(setup.fileSystem());
        finishForce(work, null);
      } catch (IOException e) {
        finishForce(work, e);
        throw e;
      }
      long mark = append(new JournalItem.Forced(work.before())).number();
      boolean isForced = mark == work.before(); // otherwise others were appended before the mark
      forcedNumber = isForced ? mark + 1 : UNKNOWN;
    } catch (StoreUnavailableException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      forceLock.unlock();
    }
  }

  /** Records the result of a force. */
  private void finishForce(Segments.ForceWork work, @Nullable IOException failure)
      throws IOException {
    lock.lock();
    try {
      forceFailure = failure;
      if (failure == null) {
        segments.finishForce(work);
      }
    } finally {
      writePendingAndUnlock();
    }
  }

  /** Returns a cursor that reads this journal from its beginning, as it grows. */
  public JournalCursor cursor() {
    return new JournalCursor(node, () -> withLock(segments::extents));
  }

  /**
   * Returns a cursor that begins with an item, or with the next one that is not deleted, and reads
   * this journal as it grows.
   */
  public JournalCursor cursor(long from) {
    return cursor().from(from);
  }

  /**
   * Reads an item that was appended here.
   *
   * @throws IOException when its file was deleted
   */
  public JournalItem read(JournalPosition position) throws IOException {
    try (var reader = new FrameFileReader(position.file(), node, position.offset())) {
      byte[] content = reader.next(Long.MAX_VALUE);
      if (content == null) {
        throw new IOException(position.file() + " was changed while it was in use");
      }
      return ItemCodec.unpack(content);
    }
  }

  /**
   * Deletes files of this journal that are not needed any more and are old enough.
   *
   * @param before the number of the first item that must be kept
   * @param beforeDelete runs before the first file is deleted; not run when there is none to delete
   */
  public void discard(long before, Runnable beforeDelete) throws IOException {
    List<JournalFileExtent> oldFiles = withLock(() -> segments.fullBefore(before, this::isOld));
    if (oldFiles.isEmpty()) {
      return;
    }
    beforeDelete.run();
    // stops at the first file that cannot be deleted; a later call tries again
    for (JournalFileExtent oldest : oldFiles) {
      Files.deleteIfExists(oldest.file());
      withLock(
          () -> {
            segments.removeDeleted(oldest);
            return oldest;
          });
    }
  }

  /**
   * Deletes the files of an ended journal that are old enough. All of its items must have been
   * delivered.
   *
   * @param beforeDelete runs before the first file is deleted; not run when there is none to delete
   */
  public void discard(EndedJournal journal, Runnable beforeDelete) throws IOException {
    List<JournalFileExtent> oldFiles = journal.extents().stream().takeWhile(this::isOld).toList();
    if (oldFiles.isEmpty()) {
      return;
    }
    beforeDelete.run();
    for (JournalFileExtent oldest : oldFiles) {
      Files.deleteIfExists(oldest.file());
    }
  }

  private boolean isOld(JournalFileExtent journalFileExtent) {
    long oldest = ambient.now().minus(setup.fileRetention()).toEpochMilli();
    return journalFileExtent.file().toFile().lastModified() < oldest;
  }

  /** Runs a query under the lock. */
  private <T> T withLock(Supplier<T> query) {
    lock.lock();
    try {
      return query.get();
    } finally {
      writePendingAndUnlock();
    }
  }

  /**
   * Ends the journal in good order: forces everything to the disk and marks the journal as
   * complete. Nothing may be appended afterwards.
   */
  public void end() throws IOException {
    force();
    append(new JournalItem.Closed()); // marks everything before it as forced
    force();
  }

  /** Closes the files and releases the directory; appended items stay. */
  @Override
  public void close() throws IOException {
    forceLock.lock();
    lock.lock();
    try {
      closed = true;
      segments.close();
      directoryLock.close();
    } finally {
      writePendingAndUnlock();
      forceLock.unlock();
    }
  }

  /**
   * Frames that wait to be written, and the thread that waits for them. Written exactly when there
   * is a position; failed exactly when there is a failure.
   */
  private static final class PendingWrite {
    private final byte[] frames;
    private final int items;
    private final Thread thread = Thread.currentThread();
    private volatile @Nullable JournalPosition position;
    private volatile @Nullable Throwable failure;

    PendingWrite(byte[] frames, int items) {
      this.frames = frames;
      this.items = items;
    }

    boolean isWaiting() {
      return position == null && failure == null;
    }

    void complete(JournalPosition newPosition) {
      position = newPosition;
      wake();
    }

    /** Reports a failure, unless the items were written. */
    void fail(@Nullable Throwable cause) {
      if (position == null) {
        failure = cause == null ? new IOException("the write ended without a result") : cause;
        wake();
      }
    }

    private void wake() {
      if (thread != Thread.currentThread()) {
        LockSupport.unpark(thread);
      }
    }

    JournalPosition positionOrThrow() {
      JournalPosition result = position;
      if (result == null) {
        throw cannotWrite(failure);
      }
      return result;
    }
  }
}
