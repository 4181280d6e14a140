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
 * What a node wrote down, in files of a directory that is its own while it runs. An item that was
 * appended survives the end of the process, however that comes; it survives a power loss once it
 * was {@linkplain #force forced}.
 *
 * <p>Safe on any thread. Threads that append together write together: whoever comes to the file
 * first takes along what the others have ready.
 */
public final class Journal implements AutoCloseable {
  /**
   * How long a file is kept, though everything in it was taken over, where another server may take
   * over from the database and have less.
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
  private final ReentrantLock forcing = new ReentrantLock(); // taken before the other
  private final Segments segments; // under the lock
  private boolean closed; // under the lock
  private @Nullable IOException unforced; // under the lock; why the disk did not take what it had
  private long marked; // under forcing; the item behind the last mark that says what is forced

  /**
   * What a journal works with.
   *
   * @param boot which start of the machine this is; empty when that is not known
   * @param segmentBytes when a file is large
   * @param kept how long a file is kept at least, though everything in it was taken over
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
   * Begins a new journal beside what earlier processes left.
   *
   * @param directory made when it is not there
   * @param kept how long a file is kept at least, though everything in it was taken over elsewhere
   * @throws IOException with a sentence: when another process uses the directory, when a journal in
   *     it is damaged or was written by a newer version, when it cannot be written to
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

  /** Which start of the machine this is; empty where the machine does not say. */
  private static String bootId() throws IOException {
    if (!Files.isReadable(BOOT_ID)) {
      return "";
    }
    String id = Files.readString(BOOT_ID).strip();
    return id.length() <= SegmentHeader.MAX_BOOT ? id : "";
  }

  /** Names this process among all that ever wrote a journal. */
  public UUID node() {
    return node;
  }

  /** {@link EndedJournal#boot} of this journal. */
  public String boot() {
    return setup.boot();
  }

  /** What earlier processes left in the directory. */
  public List<EndedJournal> past() {
    return past;
  }

  /**
   * Writes an item down. Does not wait for a disk to turn.
   *
   * @throws StoreUnavailableException when it cannot; the item is then not in the journal, unless
   *     the process ends before it could be taken away again
   */
  public JournalPosition append(JournalItem item) {
    return append(frame.seal(ItemCodec.pack(item)), 1);
  }

  /**
   * Writes two items down in one go: both or none.
   *
   * @return where the second is
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

  /** Returns where the first is. */
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
   * Whoever leaves takes along what others have ready meanwhile, so that each of them is woken once
   * and finds it written; but not for ever. Who found the lock taken sleeps, and is woken here when
   * nobody wrote what he has.
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

  /** Throws nothing: what the caller wrote before is written, whatever becomes of this. */
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
        waiting.remove(); // not before: who leaves the queue is answered
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
      failure = e; // it is theirs: whoever writes for them may have written his own
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
        e.addSuppressed(later); // it is tried again before anything else is written
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
   * Returns when everything that was appended before is on the disk itself. When the disk refuses,
   * nothing more can be appended until it does not.
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

  /** Reads this journal from its beginning, as it grows. */
  public JournalCursor cursor() {
    return new JournalCursor(node, () -> locked(segments::pieces));
  }

  /** The same from an item on, or from the next that is there. */
  public JournalCursor cursor(long from) {
    return cursor().from(from);
  }

  /**
   * An item that was appended here.
   *
   * @throws IOException when its file is not there any more
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
   * Deletes files of this journal that nobody needs, when they are old enough.
   *
   * @param before items before this one are safe elsewhere
   * @param first done before anything is deleted, when something is
   */
  public void discard(long before, Runnable first) throws IOException {
    List<JournalFileExtent> old = locked(() -> segments.fullBefore(before, this::isOld));
    if (old.isEmpty()) {
      return;
    }
    first.run();
    for (JournalFileExtent oldest :
        old) { // one that cannot be deleted is tried again, and none behind it
      Files.deleteIfExists(oldest.file());
      locked(
          () -> {
            segments.deleted(oldest);
            return oldest;
          });
    }
  }

  /** The same for a journal all of whose items are safe elsewhere. */
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
   * Ends the journal in good order: everything is forced to the disk, and the journal says that
   * nothing is missing. Items cannot be appended any more.
   */
  public void end() throws IOException {
    force();
    append(new JournalItem.Closed()); // says that everything before is on the disk
    force();
  }

  /** Leaves the directory. What was appended stays as it is. */
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

  /** Frames that are to be written, and who waits for that. */
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

    /** Unless it is done. */
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
