package io.strowger.core.destination;

import io.strowger.core.destination.SegmentFile.Frame;
import io.strowger.core.secret.SecretKeyException;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.observe.CallTrace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of one destination that wait on disk. They are records in numbered files, called
 * segments: calls are appended to the last segment (the tail) and delivered from the oldest one
 * (the head). A small file keeps the position up to which the head was delivered. A segment is
 * deleted once all its records were delivered, and the directory when no call waits.
 *
 * <p>A call stays in the queue until it is acknowledged, so a process that ends in between delivers
 * the call again. Unreadable records are skipped and counted. No method throws: of consecutive disk
 * failures only the first is logged, and then the recovery.
 *
 * <p>Safe on any thread. One lock guards everything but the counts, and is held while the disk is
 * used; so every method except the counts may wait for the disk.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock, read without it
final class DiskQueue {
  private static final Logger log = LoggerFactory.getLogger(DiskQueue.class);

  /** The approximate size of a full file. */
  static final long SEGMENT_BYTES = 4L << 20;

  /**
   * The least number of files that the queue's size limit is split over, since space is freed only
   * a whole file at a time.
   */
  private static final int MIN_SEGMENTS = 4;

  /** The longest time that a call, with its prompts, is kept on disk. */
  static final Duration RETENTION = Duration.ofDays(7);

  /** The time between a failed append and the next try. */
  private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();

  /** The number of consecutive read failures after which the file is given up. */
  private static final int READ_TRIES = 10;

  private static final String SUFFIX = ".calls";
  private static final Pattern NAME = Pattern.compile("[0-9]{16}\\" + SUFFIX);
  private static final String POSITION = "position";
  private static final int POSITION_BYTES = 2 * Long.BYTES + Integer.BYTES;

  private final Path directory;
  private final String name; // of the destination, from which keys are derived
  private final DiskQueues.Options options;
  private final Ambient ambient;
  private final ReentrantLock lock = new ReentrantLock();

  // guarded by the lock
  private final ArrayDeque<Segment> segments = new ArrayDeque<>(); // the oldest first
  private @Nullable Segment tail; // the last segment while it may be appended to; otherwise null
  private @Nullable FileChannel positionFile;
  private long nextNumber = 1;
  private long unreadableBytes; // of files that were set aside
  private boolean mustKeepPosition; // a delivered segment could not be deleted
  private int readFailures; // consecutive ones
  private boolean closed; // closed or deleted

  private volatile long bytes;
  private volatile long calls;
  private volatile long foundAtStart;
  private volatile long damaged;
  private volatile long expired;
  private volatile long retryAppendAt; // nanoTime of the next append; valid while lastAppendFailed
  private volatile boolean lastAppendFailed; // by a disk error or the size limit
  private boolean diskFailing; // the last write failed with a disk error
  private boolean damageLogged; // only the first damage is logged

  /** A file, and the part of it that is still to be delivered. */
  private static final class Segment {
    final long number;
    final SegmentFile file;
    long offset = SegmentFile.HEADER_BYTES; // everything before this offset was delivered
    long remaining; // records from the offset on

    Segment(long number, SegmentFile file) {
      this.number = number;
      this.file = file;
    }
  }

  /** How far the oldest segment was delivered. */
  private record Position(long segment, long offset) {}

  /** A call, and the offset of the next one. */
  private record StoredCall(CallTrace call, long end) {}

  /**
   * The calls to deliver next.
   *
   * @param segment the number of their segment
   * @param from the offset where the first record begins
   * @param ends the offset where the record of each call ends
   * @param readFailed whether reading failed, which may work again later
   */
  record Batch(
      long segment, long from, List<CallTrace> calls, List<Long> ends, boolean readFailed) {
    private static final Batch EMPTY = new Batch(0, 0, List.of(), List.of(), false);
    private static final Batch READ_FAILED = new Batch(0, 0, List.of(), List.of(), true);
  }

  /** Opens the queue in a directory, which need not exist. */
  DiskQueue(Path directory, String name, DiskQueues.Options options, Ambient ambient) {
    this.directory = directory;
    this.name = name;
    this.options = options;
    this.ambient = ambient;
    lock.lock();
    try {
      recover();
    } catch (IOException | SecretKeyException e) {
      log.error(
          "the queued calls in {} cannot be read and are kept on disk: {}",
          directory,
          e.toString());
    } finally {
      lock.unlock();
    }
  }

  /** Finds the segments that earlier processes left. */
  private void recover() throws IOException, SecretKeyException {
    Position savedPosition = readPosition();
    if (savedPosition != null) {
      nextNumber = savedPosition.segment() + 1; // or the next segment would count as delivered
    }
    List<Path> files = files();
    if (!files.isEmpty()) {
      nextNumber = Math.max(nextNumber, number(files.getLast()) + 1);
    }
    for (Path path : files) {
      long number = number(path);
      recover(
          path,
          savedPosition != null && number == savedPosition.segment() ? savedPosition.offset() : 0);
    }
    if (foundAtStart > 0) {
      log.info("delivering {} queued calls from {}", calls, directory);
    }
    logDamage(damaged);
    cleanUpIfEmpty();
  }

  /** Adds one segment, and counts the records that still have to be delivered. */
  private void recover(Path path, long deliveredOffset) throws IOException, SecretKeyException {
    long number = number(path);
    try {
      var segment = new Segment(number, SegmentFile.open(path, keys(number)));
      segment.offset = Math.max(deliveredOffset, SegmentFile.HEADER_BYTES);
      long damagedStretches = 0;
      long at = segment.offset;
      while (at < segment.file.size()) {
        Frame frame = segment.file.frame(at);
        segment.remaining += frame == null ? 0 : 1;
        damagedStretches += frame == null ? 1 : 0;
        at = frame == null ? segment.file.nextFrame(at + 1) : frame.end();
      }
      segment.file.close();
      foundAtStart += segment.remaining + damagedStretches;
      damaged += damagedStretches;
      calls += segment.remaining;
      bytes += segment.file.size();
      segments.add(segment);
      if (segment.remaining == 0) {
        deleteSegment(segment);
      }
    } catch (SegmentFile.UnreadableException e) {
      setAside(path, e);
    }
  }

  /** Keeps an unreadable file, which another key may open, for the retention time. */
  private void setAside(Path path, SegmentFile.UnreadableException cause) throws IOException {
    foundAtStart++;
    damaged++;
    Instant lastModified = Files.getLastModifiedTime(path).toInstant();
    if (lastModified.isBefore(ambient.now().minus(RETENTION))) {
      log.error("{} {}; the file is older than a week and is deleted", path, cause.getMessage());
      deleteFile(path);
      return;
    }
    log.error("{} {}; its calls are not delivered", path, cause.getMessage());
    unreadableBytes += Files.size(path);
    bytes += Files.size(path);
  }

  private SegmentFile.Keys keys(long number) {
    return new SegmentFile.Keys(
        options.cipher(), options.random(), "observability queue/" + name + "/" + number);
  }

  private List<Path> files() throws IOException {
    var paths = new ArrayList<Path>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path path : entries) {
        if (NAME.matcher(path.getFileName().toString()).matches()) {
          paths.add(path);
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    }
    paths.sort(null);
    return paths;
  }

  private static long number(Path path) {
    String name = path.getFileName().toString();
    return Long.parseLong(name.substring(0, name.length() - SUFFIX.length()));
  }

  private Path path(long number) {
    return directory.resolve("%016d".formatted(number) + SUFFIX);
  }

  /** Returns how many calls are queued. Never blocks. */
  long calls() {
    return calls;
  }

  /** Returns the size of all files in bytes, including unreadable ones. Never blocks. */
  long bytes() {
    return bytes;
  }

  /** Returns how many calls and damaged places were found at the start. Never blocks. */
  long foundAtStart() {
    return foundAtStart;
  }

  /**
   * Returns how many calls were lost because they could not be encoded or read back. Never blocks.
   */
  long damaged() {
    return damaged;
  }

  /**
   * Returns how many calls were dropped because they had waited longer than {@link #RETENTION}.
   * Never blocks.
   */
  long expired() {
    return expired;
  }

  /** Returns whether an append may be tried: not within a second of a failed one. Never blocks. */
  boolean mayAppend() {
    return !lastAppendFailed || ambient.nanoTime() - retryAppendAt >= 0;
  }

  /**
   * Appends calls.
   *
   * @param ignoreLimit whether to append even beyond the size limit
   * @return how many of the calls, from the first, are on disk now
   */
  int append(List<CallTrace> traces, boolean ignoreLimit) {
    lock.lock();
    try {
      int count = 0;
      while (!closed && count < traces.size() && append(traces.get(count), ignoreLimit)) {
        count++;
      }
      lastAppendFailed = count < traces.size();
      retryAppendAt = ambient.nanoTime() + RETRY_NANOS;
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** Appends one call; returns false when there is no room or the disk fails. */
  private boolean append(CallTrace call, boolean ignoreLimit) {
    byte[] record = encode(call);
    if (record == null) {
      return true; // counted as damaged
    }
    long size = (long) record.length + SegmentFile.OVERHEAD_BYTES;
    if (!ignoreLimit && bytes + size + SegmentFile.HEADER_BYTES > options.maxBytes()) {
      return false;
    }
    try {
      Segment segment = tailFor(size);
      long before = segment.file.size();
      segment.file.append(record);
      segment.remaining++;
      calls++;
      bytes += segment.file.size() - before;
      if (diskFailing) {
        diskFailing = false;
        log.info("{} can be written again", directory);
      }
      return true;
    } catch (IOException | SecretKeyException e) {
      if (!diskFailing) {
        diskFailing = true;
        log.error(
            "{} cannot be written; calls are queued in memory only and are lost on a restart: {}",
            directory,
            e.toString());
      }
      abandonTail();
      return false;
    }
  }

  private byte @Nullable [] encode(CallTrace call) {
    try {
      return CallTraceCodec.encode(call);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError bug) {
      damaged++;
      log.error("call {} could not be encoded for {} and is lost", call.id(), directory, bug);
      return null;
    }
  }

  /**
   * Returns the segment for the next record, and creates one when needed.
   *
   * @param size the size of the record in bytes
   */
  private Segment tailFor(long size) throws IOException, SecretKeyException {
    Segment last = tail;
    long maxSize = Math.min(SEGMENT_BYTES, options.maxBytes() / MIN_SEGMENTS);
    if (last != null && (last.remaining == 0 || last.file.size() + size <= maxSize)) {
      return last;
    }
    if (last != null) {
      tail = null;
      last.file.force();
      last.file.close();
    }
    QueueFilePermissions.createDirectories(directory);
    Segment segment = create();
    segments.add(segment);
    tail = segment;
    bytes += segment.file.size();
    return segment;
  }

  /** Creates a segment with the next number that no file has. */
  private Segment create() throws IOException, SecretKeyException {
    while (true) {
      long number = nextNumber++;
      try {
        return new Segment(number, SegmentFile.create(path(number), keys(number)));
      } catch (FileAlreadyExistsException e) {
        log.debug("{} was not found at the start and is kept", e.getFile());
      }
    }
  }

  /** Stops appending to the tail, which may end with an incomplete record. */
  private void abandonTail() {
    Segment last = tail;
    tail = null;
    if (last != null && last.remaining == 0) {
      deleteSegment(last);
    } else if (last != null) {
      closeQuietly(last.file);
    }
  }

  /**
   * Returns the oldest calls, which stay in the queue until {@link #acknowledge} removes them.
   *
   * @param maxBytes the most bytes that the calls may occupy on disk; the first call is returned
   *     whatever its size
   */
  Batch read(int maxCalls, long maxBytes) {
    lock.lock();
    try {
      while (!closed && !segments.isEmpty()) {
        Segment head = segments.element();
        Batch batch = read(head, maxCalls, maxBytes);
        readFailures = 0;
        if (!batch.calls().isEmpty()) {
          return batch;
        }
        giveUp(head);
      }
      return Batch.EMPTY;
    } catch (IOException e) {
      return afterFailedRead(e);
    } finally {
      lock.unlock();
    }
  }

  /** Handles a read failure: closes the head to try again later, or gives it up. */
  private Batch afterFailedRead(IOException e) {
    Segment head = segments.element();
    readFailures++;
    if (readFailures == 1) {
      log.error("{} cannot be read: {}", head.file.path(), e.toString());
    }
    if (e instanceof NoSuchFileException || readFailures >= READ_TRIES) {
      readFailures = 0;
      giveUp(head);
    } else {
      closeQuietly(head.file);
      if (head == tail) {
        tail = null;
      }
    }
    return Batch.READ_FAILED;
  }

  /** Returns the first calls of a segment; skips damaged and expired records before them. */
  private Batch read(Segment from, int maxCalls, long maxBytes) throws IOException {
    var stored = new ArrayList<StoredCall>();
    long at = from.offset;
    long size = 0;
    while (stored.size() < Math.min(maxCalls, from.remaining) && at < from.file.size()) {
      Frame frame = from.file.frame(at);
      if (frame == null) {
        at = from.file.nextFrame(at + 1);
        continue;
      }
      size += frame.length();
      if (!stored.isEmpty() && size > maxBytes) {
        break;
      }
      CallTrace call = readCall(from, frame);
      at = frame.end();
      if (call != null && !isExpired(call)) {
        stored.add(new StoredCall(call, at));
      } else if (stored.isEmpty()) {
        skip(from, at, call == null);
      } else {
        break; // this record is skipped once the calls before it are delivered
      }
    }
    return new Batch(
        from.number,
        from.offset,
        stored.stream().map(StoredCall::call).toList(),
        stored.stream().map(StoredCall::end).toList(),
        false);
  }

  private static @Nullable CallTrace readCall(Segment from, Frame frame) throws IOException {
    byte[] record = from.file.record(frame);
    return record == null ? null : CallTraceCodec.decode(record);
  }

  private boolean isExpired(CallTrace call) {
    return call.result().endedAt().isBefore(ambient.now().minus(RETENTION));
  }

  /** Drops the first record of a segment and counts it as damaged or expired. */
  private void skip(Segment segment, long end, boolean isDamaged) {
    segment.offset = end;
    segment.remaining--;
    if (isDamaged) {
      damaged++;
      logDamage(1);
    } else {
      expired++;
    }
    calls--;
  }

  /** Counts the remaining records of the head as damaged and deletes the segment. */
  private void giveUp(Segment head) {
    damaged += head.remaining;
    calls -= head.remaining;
    logDamage(head.remaining);
    head.remaining = 0;
    deleteSegment(head);
  }

  private void logDamage(long count) {
    if (count > 0 && !damageLogged) {
      damageLogged = true;
      log.error(
          "records of calls in {} are damaged, or were only half written when a process ended: they"
              + " are skipped and counted",
          directory);
    }
  }

  /**
   * Removes the first calls of a batch; they are not returned again, even after a restart. Does
   * nothing when the batch is not at the head any more.
   *
   * @param count how many calls to remove; at most the size of the batch
   */
  void acknowledge(Batch batch, int count) {
    lock.lock();
    try {
      Segment head = segments.peek();
      if (closed
          || count <= 0
          || head == null
          || head.number != batch.segment()
          || head.offset != batch.from()) {
        return;
      }
      head.offset = batch.ends().get(count - 1);
      head.remaining -= count;
      calls -= count;
      writePosition(new Position(head.number, head.remaining == 0 ? Long.MAX_VALUE : head.offset));
      if (head.remaining == 0) {
        deleteSegment(head);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Deletes a segment whose calls were all delivered or given up. */
  private void deleteSegment(Segment segment) {
    segments.remove(segment);
    if (segment == tail) {
      tail = null;
    }
    closeQuietly(segment.file);
    bytes -= segment.file.size();
    mustKeepPosition |= !deleteFile(segment.file.path());
    lastAppendFailed = false; // there is room again
    cleanUpIfEmpty();
  }

  /** Deletes the position and the directory when nothing in them is needed. */
  private void cleanUpIfEmpty() {
    if (!segments.isEmpty() || mustKeepPosition || unreadableBytes > 0) {
      return;
    }
    closePosition();
    if (deleteFile(directory.resolve(POSITION))) {
      deleteDirectory();
    }
  }

  /** Deletes the directory, unless it holds other files. */
  private void deleteDirectory() {
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      log.debug("the directory {} is not empty and is kept", directory, e);
    }
  }

  private boolean deleteFile(Path path) {
    try {
      Files.deleteIfExists(path);
      return true;
    } catch (IOException e) {
      if (Files.notExists(path)) {
        return true; // its directory may be gone, too
      }
      log.error("{} cannot be deleted: {}", path, e.toString());
      return false;
    }
  }

  private static void closeQuietly(SegmentFile file) {
    try {
      file.close();
    } catch (IOException e) {
      log.debug("closing {} failed", file.path(), e);
    }
  }

  private @Nullable Position readPosition() {
    try {
      byte[] content = Files.readAllBytes(directory.resolve(POSITION));
      if (content.length == POSITION_BYTES
          && ByteBuffer.wrap(content).getInt(2 * Long.BYTES) == crc(content)) {
        return new Position(
            ByteBuffer.wrap(content).getLong(0), ByteBuffer.wrap(content).getLong(Long.BYTES));
      }
    } catch (IOException e) {
      // then everything is delivered from the beginning
    }
    return null;
  }

  private static int crc(byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes, 0, 2 * Long.BYTES);
    return (int) crc.getValue();
  }

  /** Writes the position; when that fails, calls are sent again after a restart. */
  private void writePosition(Position newPosition) {
    ByteBuffer buffer = ByteBuffer.allocate(POSITION_BYTES);
    buffer
        .putLong(newPosition.segment())
        .putLong(newPosition.offset())
        .putInt(crc(buffer.array()))
        .flip();
    try {
      FileChannel channel = positionFile;
      if (channel == null || !channel.isOpen()) {
        Path path = directory.resolve(POSITION);
        channel =
            FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                QueueFilePermissions.file(path));
        positionFile = channel;
      }
      while (buffer.hasRemaining()) {
        channel.write(buffer, buffer.position());
      }
    } catch (IOException e) {
      log.debug("the position in {} cannot be written", directory, e);
    }
  }

  private void closePosition() {
    FileChannel channel = positionFile;
    positionFile = null;
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      log.debug("closing the position in {} failed", directory, e);
    }
  }

  /** Deletes all waiting calls and accepts no more. */
  void delete() {
    lock.lock();
    try {
      closeFiles();
      segments.clear();
      calls = 0;
      bytes = 0;
      for (Path path : files()) {
        deleteFile(path);
      }
      deleteFile(directory.resolve(POSITION));
      deleteDirectory();
    } catch (IOException e) {
      log.error("{} cannot be deleted: {}", directory, e.toString());
    } finally {
      lock.unlock();
    }
  }

  /** Keeps everything on disk for the next start and accepts no more. */
  void close() {
    lock.lock();
    try {
      Segment last = tail;
      if (last != null) {
        last.file.force();
      }
    } catch (IOException e) {
      log.error(
          "{} could not be forced to disk; the latest calls may be lost: {}",
          directory,
          e.toString());
    } finally {
      closeFiles();
      lock.unlock();
    }
  }

  private void closeFiles() {
    closed = true;
    tail = null;
    segments.forEach(segment -> closeQuietly(segment.file));
    closePosition();
  }

  @Override
  public String toString() {
    return Objects.toString(directory);
  }
}
