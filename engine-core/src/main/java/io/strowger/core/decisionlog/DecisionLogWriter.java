package io.strowger.core.decisionlog;

import io.strowger.core.ambient.ThreadJoiner;
import io.strowger.spi.ambient.Ambient;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes decisions to a file or a stream, on a thread of its own.
 *
 * <p>Never slows or fails a request: a decision that finds the queue full is dropped and counted,
 * and so is everything after the disk refused something. What waits is written in one go and handed
 * to the operating system whenever the queue runs empty, so a process that dies loses what it
 * decided in the last moments, and no record before that.
 *
 * <p>For one gateway: two of them number their statistics independently. Safe on any thread.
 */
public final class DecisionLogWriter implements DecisionLog, AutoCloseable {
  /** Decisions that may wait. */
  public static final int CAPACITY = 4096;

  private static final Logger log = LoggerFactory.getLogger(DecisionLogWriter.class);
  private static final String POSIX = "posix";
  private static final int BUFFER = 1 << 16;

  private final OutputStream out;
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;
  private Queue<LoggedDecision> waiting = new ArrayDeque<>();
  private long dropped;
  private long written;
  private boolean closed;
  private boolean broken;

  private DecisionLogWriter(OutputStream out, int capacity, Ambient ambient) {
    this.out = out;
    this.capacity = capacity;
    this.thread = ambient.startService("decision-log", this::run);
  }

  /**
   * Writes to a file: behind what is there when that is a decision log, also one that ends in the
   * middle of a record.
   *
   * @throws IOException when it cannot be written, or is something else
   */
  public static DecisionLogWriter open(Path file, Ambient ambient) throws IOException {
    boolean begun = isBegun(file.toFile());
    if (!begun) {
      createForOwner(file);
    }
    OutputStream out = new BufferedOutputStream(new FileOutputStream(file.toFile(), begun), BUFFER);
    return to(out, begun, CAPACITY, ambient);
  }

  /**
   * Writes a new log to a stream, and closes it in the end.
   *
   * @param capacity decisions that may wait, at least 1
   * @throws IOException when it cannot be written
   */
  public static DecisionLogWriter to(OutputStream out, int capacity, Ambient ambient)
      throws IOException {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1, was " + capacity);
    }
    return to(new BufferedOutputStream(out, BUFFER), false, capacity, ambient);
  }

  private static DecisionLogWriter to(
      OutputStream out, boolean begun, int capacity, Ambient ambient) throws IOException {
    if (!begun) {
      out.write(LogFrame.header());
      out.flush();
    }
    return new DecisionLogWriter(out, capacity, ambient);
  }

  /** Names of models and keys stand in it: others may not read it, from the first moment on. */
  private static void createForOwner(Path file) throws IOException {
    if (Files.exists(file) || !file.getFileSystem().supportedFileAttributeViews().contains(POSIX)) {
      return; // what is there keeps its permissions
    }
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /** Whether there is a log to go on with; one that ends inside its header is begun anew. */
  private static boolean isBegun(File file) throws IOException {
    if (!file.exists()) {
      return false;
    }
    byte[] expected = LogFrame.header();
    try (var in = new FileInputStream(file)) {
      byte[] there = in.readNBytes(expected.length);
      if (!Arrays.equals(there, Arrays.copyOf(expected, there.length))) {
        throw new IOException(file + " is there and is not a decision log of this format");
      }
      return there.length == expected.length;
    }
  }

  @Override
  public void accept(LoggedDecision decision) {
    lock.lock();
    try {
      if (closed || broken || waiting.size() == capacity) {
        dropped++;
      } else {
        waiting.add(decision);
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Decisions that were written. */
  public long written() {
    lock.lock();
    try {
      return written;
    } finally {
      lock.unlock();
    }
  }

  /** Decisions that were not written, because too many waited or the disk refused. */
  public long dropped() {
    lock.lock();
    try {
      return dropped;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    try (var encoder = new LogEncoder()) {
      Queue<LoggedDecision> batch;
      while ((batch = take()) != null) {
        write(batch, encoder);
      }
    }
  }

  /** Everything that waits, as soon as something does; null when the log is closed. */
  private @Nullable Queue<LoggedDecision> take() {
    lock.lock();
    try {
      while (waiting.isEmpty()) {
        if (closed) {
          return null;
        }
        changed.awaitUninterruptibly();
      }
      Queue<LoggedDecision> batch = waiting;
      waiting = new ArrayDeque<>();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void write(Queue<LoggedDecision> batch, LogEncoder encoder) {
    int done = 0;
    int refused = 0;
    try {
      for (LoggedDecision decision : batch) {
        byte[] record = encoded(decision, encoder);
        if (record == null) {
          refused++;
        } else {
          out.write(record);
          done++;
        }
      }
      out.flush();
    } catch (IOException e) {
      log.error("the decision log cannot be written; no further decisions are logged", e);
      giveUp(batch.size());
      return;
    }
    count(done, refused);
  }

  private static byte @Nullable [] encoded(LoggedDecision decision, LogEncoder encoder) {
    try {
      return encoder.encode(decision);
    } catch (RuntimeException bug) {
      log.error("decision {} cannot be recorded", decision.id(), bug);
      return null;
    }
  }

  /** A batch that failed may be written in part; what cannot be relied on counts as dropped. */
  private void giveUp(int batch) {
    lock.lock();
    try {
      broken = true;
      dropped += batch + waiting.size();
      waiting.clear();
    } finally {
      lock.unlock();
    }
  }

  private void count(int done, int refused) {
    lock.lock();
    try {
      written += done;
      dropped += refused;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes what waits, then closes the file. Says how much is missing, when something is.
   * Repeatable.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    ThreadJoiner.joinUninterruptibly(thread);
    end();
  }

  private void end() {
    try {
      out.close();
    } catch (IOException e) {
      log.error("closing the decision log failed", e);
    }
    if (dropped() > 0) {
      log.warn("{} of {} decisions are not in the log", dropped(), dropped() + written());
    }
  }
}
