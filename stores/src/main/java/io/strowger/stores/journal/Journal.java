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
 * The items a node writes, in files of a directory that it has to itself while it runs. An item
 * that was appended survives any end of the process; it survives a power loss once it was
 * {@linkplain #force forced}.
 *
 * <p>Safe on any thread. Threads that append at the same time are grouped: the first one to get the
 * lock also writes the items of the others.
 */
public final class Journal implements AutoCloseable {
  /**
   * How long a file is kept after everything in it was delivered to a database server, since a
   * standby server that takes over may not have all of it.
   */
  public static final Duration KEPT_FOR_SERVERS = Duration.ofMinutes(10);

  private static final int SEGMENT_BYTES = 16 << 20;
  private static final int MAX_TOGETHER = 1 << 20;
  private static final int MAX_ROUNDS = 4;
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private final Ambient ambient;
  private final Setup setup;
  private final DirectoryLock directory;
  private final UUID node;
  private final JournalFrame frame;
  private final List<EndedJournal> past;
  private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock forcing = new ReentrantLock(); // always taken before {@code lock}
  private final Segments segments; // under the lock
  private boolean closed; // under the lock
  private @Nullable IOException unforced; // under the lock; why the last force failed
  private long marked; // under forcing; the item after the last Forced item

  /**
   * The settings of a journal.
   *
   * @param boot the boot id of the machine; empty when that is not known
   * @param segmentBytes the size in bytes at which a new file is begun
   * @param kept how long a file is kept at least, even when everything in it was delivered
   */
  record Setup(
      Path directory, JournalFileSystem disk, String boot, long segmentBytes, Duration kept) {}

  private Journal(Setup setup, DirectoryLock held, Ambient ambient) throws IOException {
    this.setup = setup;
    this.directory = held;
    this.ambient = ambient;
    this.past = JournalScanner.of(setup.directory(), setup.boot());
    this.node = new UUID(ambient.seed(), ambient.seed());
    this.frame = new JournalFrame(node);
    this.segments =
        new Segments(setup.directory(), setup.disk(), node, setup.boot(), setup.segmentBytes());
  }

  /**
   * Begins a new journal beside those that earlier processes left.
   *
   * @param directory the directory; created when it does not exist
   * @param kept how long a file is kept at least, even when everything in it was delivered; zero
   *     for no longer than needed
   * @throws IOException with a message for the operator: when another process uses the directory, a
   *     journal in it is damaged or was written by a newer version, or it cannot be written to
   */
  public static Journal open(Path directory, Ambient ambient, Duration kept) throws IOException {
    return open(
        new Setup(directory, JournalFileSystem.real(), bootId(), SEGMENT_BYTES, kept), ambient);
  }

  static Journal open(Setup setup, Ambient ambient) throws IOException {
    OwnerOnlyFiles.createDirectories(setup.directory());
    OwnerOnlyFiles.restrictToOwner(setup.directory()); // an earlier version let others in
    DirectoryLock held = DirectoryLock.take(setup.directory());
    try {
      return new Journal(setup, held, ambient);
    } catch (IOException | RuntimeException e) {
      held.close();
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
  public List<EndedJournal> past() {
    return past;
  }

  /**
   * Appends an item. Does not wait for the disk.
   *
   * @throws StoreUnavailableException when it cannot be written; the item is then not in the
   *     journal, unless the process ends before it could be removed again
   */
  public JournalPosition append(JournalItem item) {
    return append(frame.seal(ItemCodec.pack(item)), 1);
  }

  /**
   * Appends two items in one write: both or none.
   *
   * @return the position of the second
   * @throws StoreUnavailableException as {@link #append(JournalItem)}
   */
  public JournalPosition append(JournalItem item, JournalItem behind) {
    byte[] one = frame.seal(ItemCodec.pack(item));
    byte[] other = frame.seal(ItemCodec.pack(behind));
    byte[] both = Arrays.copyOf(one, Math.addExact(one.length, other.length));
    System.arraycopy(other, 0, both, one.length, other.length);
    JournalPosition first = append(both, 2);
    return new JournalPosition(first.number() + 1, first.file(), first.offset() + one.length);
  }

  /** Returns the position of the first item. */
  private JournalPosition append(byte[] sealed, int items) {
    if (lock.tryLock()) {
      try {
        if (waiting.isEmpty()) {
          return write(sealed, items);
        }
      } catch (IOException e) {
        throw cannotWrite(e);
      } finally {
        unlock();
      }
    }
    return appendTogether(sealed, items);
  }

  private static StoreUnavailableException cannotWrite(@Nullable Throwable why) {
    return new StoreUnavailableException("the journal cannot be written", why);
  }

  private JournalPosition appendTogether(byte[] sealed, int items) {
    var mine = new Waiting(sealed, items);
    waiting.add(mine);
    boolean interrupted = false;
    while (mine.isWaiting()) {
      if (lock.tryLock()) {
        unlock(); // which writes what is waiting
      } else {
        LockSupport.park(this);
        interrupted |= Thread.interrupted(); // it would not park again
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return mine.place();
  }

  /**
   * Releases the lock after writing the items that other threads wait to write, so that each of
   * them is woken only once, when its item is written. The number of rounds is bounded. A thread
   * that finds the lock taken parks, and is woken here when its item was not written.
   */
  private void unlock() {
    try {
      for (int i = 0; i < MAX_ROUNDS && !waiting.isEmpty(); i++) {
        writeTogether();
      }
    } finally {
      lock.unlock();
    }
    Waiting next = waiting.peek();
    if (next != null) {
      LockSupport.unpark(next.thread);
    }
  }

  /**
   * Writes the waiting items. Throws nothing, since the caller's own item is written even if these
   * cannot be.
   */
  private void writeTogether() {
    List<Waiting> group = List.of();
    Throwable failure = null;
    try {
      group = new ArrayList<>();
      int bytes = 0;
      int items = 0;
      Waiting next = waiting.peek();
      while (next != null) {
        group.add(next);
        waiting.remove(); // not before: a thread whose item leaves the queue gets an answer
        bytes += next.frame.length;
        items += next.items;
        next = bytes < MAX_TOGETHER ? waiting.peek() : null;
      }
      JournalPosition position = write(joined(group, bytes), items);
      long number = position.number();
      long offset = position.offset();
      for (Waiting each : group) {
        each.done(new JournalPosition(number, position.file(), offset));
        number += each.items;
        offset += each.frame.length;
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e; // reported to the waiting threads: the caller's own item may be written
    } finally {
      for (Waiting each : group) {
        each.fail(failure);
      }
    }
  }

  private JournalPosition write(byte[] frames, int items) throws IOException {
    if (closed) {
      throw new IOException("the journal is closed");
    }
    if (unforced != null) {
      throw new IOException("the disk refused what was written before", unforced);
    }
    try {
      return segments.write(frames, items);
    } catch (IOException e) {
      try {
        segments.mend();
      } catch (IOException later) {
        e.addSuppressed(later); // retried before anything else is written
      }
      throw e;
    }
  }

  private static byte[] joined(List<Waiting> group, int bytes) {
    if (group.size() == 1) {
      return group.getFirst().frame;
    }
    byte[] all = new byte[bytes];
    int at = 0;
    for (Waiting each : group) {
      System.arraycopy(each.frame, 0, all, at, each.frame.length);
      at += each.frame.length;
    }
    return all;
  }

  /**
   * Waits until everything that was appended before is on the disk itself. When that fails, nothing
   * can be appended until a later call succeeds.
   */
  public void force() throws IOException {
    forcing.lock();
    try {
      Segments.Work work = locked(segments::unforced);
      if (work.before() == marked || work.outputs().isEmpty()) {
        return;
      }
      try {
        work.run(setup.disk());
        forced(work, null);
      } catch (IOException e) {
        forced(work, e);
        throw e;
      }
      marked = append(new JournalItem.Forced(work.before())).number() + 1;
    } catch (StoreUnavailableException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      forcing.unlock();
    }
  }

  private void forced(Segments.Work work, @Nullable IOException failure) throws IOException {
    lock.lock();
    try {
      unforced = failure;
      if (failure == null) {
        segments.forced(work);
      }
    } finally {
      unlock();
    }
  }

  /** Returns a cursor that reads this journal from its beginning, as it grows. */
  public JournalCursor cursor() {
    return new JournalCursor(node, () -> locked(segments::pieces));
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
    try (var reader = new PieceReader(position.file(), node, position.offset())) {
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
   * @param first runs before the first file is deleted; not run when there is none to delete
   */
  public void discard(long before, Runnable first) throws IOException {
    List<JournalFileExtent> old = locked(() -> segments.fullBefore(before, this::isOld));
    if (old.isEmpty()) {
      return;
    }
    first.run();
    for (JournalFileExtent oldest :
        old) { // when one cannot be deleted, it is retried later and none after it is deleted
      Files.deleteIfExists(oldest.file());
      locked(
          () -> {
            segments.deleted(oldest);
            return oldest;
          });
    }
  }

  /**
   * Deletes the files of an ended journal that are old enough. All of its items must have been
   * delivered.
   */
  public void discard(EndedJournal journal, Runnable first) throws IOException {
    List<JournalFileExtent> old = journal.pieces().stream().takeWhile(this::isOld).toList();
    if (old.isEmpty()) {
      return;
    }
    first.run();
    for (JournalFileExtent oldest : old) {
      Files.deleteIfExists(oldest.file());
    }
  }

  private boolean isOld(JournalFileExtent journalFileExtent) {
    long oldest = ambient.now().minus(setup.kept()).toEpochMilli();
    return journalFileExtent.file().toFile().lastModified() < oldest;
  }

  private <T> T locked(Supplier<T> question) {
    lock.lock();
    try {
      return question.get();
    } finally {
      unlock();
    }
  }

  /**
   * Ends the journal in good order: forces everything to the disk and marks the journal as
   * complete. Nothing may be appended afterwards.
   */
  public void end() throws IOException {
    force();
    append(new JournalItem.Closed()); // says that everything before is on the disk
    force();
  }

  /** Closes the files and releases the directory; appended items stay. */
  @Override
  public void close() throws IOException {
    forcing.lock();
    lock.lock();
    try {
      closed = true;
      segments.close();
      directory.close();
    } finally {
      unlock();
      forcing.unlock();
    }
  }

  /** Frames to be written, and the thread that waits for them. */
  private static final class Waiting {
    private final byte[] frame;
    private final int items;
    private final Thread thread = Thread.currentThread();
    private volatile @Nullable JournalPosition position;
    private volatile @Nullable Throwable failure;

    Waiting(byte[] frame, int items) {
      this.frame = frame;
      this.items = items;
    }

    boolean isWaiting() {
      return position == null && failure == null;
    }

    void done(JournalPosition at) {
      position = at;
      wake();
    }

    /** Reports a failure, unless it is done. */
    void fail(@Nullable Throwable why) {
      if (position == null) {
        failure = why == null ? new IOException("a bug") : why;
        wake();
      }
    }

    private void wake() {
      if (thread != Thread.currentThread()) {
        LockSupport.unpark(thread);
      }
    }

    JournalPosition place() {
      JournalPosition at = position;
      if (at == null) {
        throw cannotWrite(failure);
      }
      return at;
    }
  }
}
