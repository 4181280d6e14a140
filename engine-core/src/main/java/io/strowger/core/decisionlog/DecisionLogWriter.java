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
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes decisions to a file or a stream, on a thread of its own.
 *
 * <p>Never slows or fails a request: a decision is dropped and counted when the queue is full, and
 * after a write has failed. All waiting decisions are written as one batch, which is then flushed
 * to the operating system, so a process that is killed loses only the decisions of its last
 * moments.
 *
 * <p>Serves one gateway, because each gateway numbers its own statistics. Safe on any thread.
 */
public final class DecisionLogWriter implements DecisionLog, AutoCloseable {
  /** How many decisions may wait to be written to a file. */
  public static final int CAPACITY = 4096;

  private static final Logger log = LoggerFactory.getLogger(DecisionLogWriter.class);
  private static final String POSIX = "posix";
  private static final int BUFFER_BYTES = 1 << 16;

  private final OutputStream out;
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stateChanged = lock.newCondition();
  private final Thread thread;
  private Queue<LoggedDecision> queue = new ArrayDeque<>();
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong written = new AtomicLong();
  private boolean closed;
  private boolean failed;

  private DecisionLogWriter(OutputStream out, int capacity, Ambient ambient) {
    this.out = out;
    this.capacity = capacity;
    this.thread = ambient.startService("decision-log", this::run);
  }

  /**
   * Opens a file for writing, and creates it if needed. An existing decision log is continued, even
   * if its last record is incomplete.
   *
   * @throws IOException when the file cannot be written or is not a decision log
   */
  public static DecisionLogWriter open(Path file, Ambient ambient) throws IOException {
    boolean append = isExistingLog(file.toFile());
    if (!append) {
      createForOwner(file);
    }
    OutputStream out =
        new BufferedOutputStream(new FileOutputStream(file.toFile(), append), BUFFER_BYTES);
    return toStream(out, append, CAPACITY, ambient);
  }

  /**
   * Writes a new log to a stream, and closes the stream in {@link #close}.
   *
   * @param capacity how many decisions may wait to be written, at least 1
   * @throws IOException when it cannot be written
   */
  public static DecisionLogWriter toStream(OutputStream out, int capacity, Ambient ambient)
      throws IOException {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity must be at least 1, was " + capacity);
    }
    return toStream(new BufferedOutputStream(out, BUFFER_BYTES), false, capacity, ambient);
  }

  private static DecisionLogWriter toStream(
      OutputStream out, boolean append, int capacity, Ambient ambient) throws IOException {
    if (!append) {
      out.write(LogFrame.header());
      out.flush();
    }
    return new DecisionLogWriter(out, capacity, ambient);
  }

  /** Creates the file readable by its owner only, because a log names models and keys. */
  private static void createForOwner(Path file) throws IOException {
    if (Files.exists(file) || !file.getFileSystem().supportedFileAttributeViews().contains(POSIX)) {
      return; // an existing file keeps its permissions
    }
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /**
   * Returns whether the file is a log to continue; a file that ends within its header is
   * overwritten.
   */
  private static boolean isExistingLog(File file) throws IOException {
    if (!file.exists()) {
      return false;
    }
    byte[] expected = LogFrame.header();
    try (var in = new FileInputStream(file)) {
      byte[] actual = in.readNBytes(expected.length);
      if (!Arrays.equals(actual, Arrays.copyOf(expected, actual.length))) {
        throw new IOException(file + " exists and is not a decision log of this format");
      }
      return actual.length == expected.length;
    }
  }

  @Override
  public void accept(LoggedDecision decision) {
    lock.lock();
    try {
      if (closed || failed || queue.size() == capacity) {
        dropped.incrementAndGet();
      } else {
        queue.add(decision);
        stateChanged.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many decisions were written. */
  public long written() {
    return written.get();
  }

  /**
   * Returns how many decisions were dropped: the queue was full, the log closed, or writing failed.
   */
  public long dropped() {
    return dropped.get();
  }

  private void run() {
    try (var encoder = new LogEncoder()) {
      Queue<LoggedDecision> batch;
      while ((batch = takeBatch()) != null) {
        write(batch, encoder);
      }
    }
  }

  /** Waits for decisions and returns all of them; null once the log is closed and none is left. */
  private @Nullable Queue<LoggedDecision> takeBatch() {
    lock.lock();
    try {
      while (queue.isEmpty()) {
        if (closed) {
          return null;
        }
        stateChanged.awaitUninterruptibly();
      }
      Queue<LoggedDecision> batch = queue;
      queue = new ArrayDeque<>();
      return batch;
    } finally {
      lock.unlock();
    }
  }

  private void write(Queue<LoggedDecision> batch, LogEncoder encoder) {
    int writtenCount = 0;
    try {
      for (LoggedDecision decision : batch) {
        byte[] record = encode(decision, encoder);
        if (record != null) {
          out.write(record);
          writtenCount++;
        }
      }
      out.flush();
    } catch (IOException e) {
      log.error("the decision log cannot be written; no further decisions are logged", e);
      giveUp(batch.size());
      return;
    }
    written.addAndGet(writtenCount);
    dropped.addAndGet(batch.size() - writtenCount);
  }

  private static byte @Nullable [] encode(LoggedDecision decision, LogEncoder encoder) {
    try {
      return encoder.encode(decision);
    } catch (RuntimeException bug) {
      log.error("decision {} cannot be recorded", decision.id(), bug);
      return null;
    }
  }

  /** Counts a failed batch as dropped, although a part of it may have been written. */
  private void giveUp(int batchSize) {
    lock.lock();
    try {
      failed = true;
      dropped.addAndGet(batchSize + queue.size());
      queue.clear();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes the waiting decisions, then closes the output. Logs a warning if any were dropped. Later
   * calls do nothing.
   */
  @Override
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      stateChanged.signal();
    } finally {
      lock.unlock();
    }
    ThreadJoiner.joinUninterruptibly(thread);
    closeOutput();
  }

  private void closeOutput() {
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
