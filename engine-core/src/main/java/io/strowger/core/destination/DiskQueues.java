package io.strowger.core.destination;

import io.strowger.core.config.DestinationQueueSettings;
import io.strowger.core.digest.Sha256;
import io.strowger.core.secret.SecretCipher;
import io.strowger.core.secret.SecretKeyException;
import io.strowger.spi.ambient.Ambient;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of calls that wait for their destinations: one queue for each destination, in a
 * directory of its own. Only one process can use it at a time. Safe on any thread.
 */
public final class DiskQueues implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DiskQueues.class);

  private static final String LOCK = "in-use.lock";
  private static final Pattern NAME = Pattern.compile("destination-[0-9a-f]{32}");
  private static final int NAME_BYTES = 16;

  private final Path directory;
  private final Options options;
  private final Ambient ambient;
  private final FileChannel lockChannel;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, DiskQueue> queues = new HashMap<>(); // by name; guarded by the lock

  /**
   * The settings of all queues.
   *
   * @param maxBytes the most bytes of one queue
   * @param cipher derives the keys of files
   * @param random returns the requested number of unpredictable bytes, which never repeat
   */
  record Options(long maxBytes, SecretCipher cipher, IntFunction<byte[]> random) {}

  private DiskQueues(Path directory, Options options, Ambient ambient, FileChannel lockChannel) {
    this.directory = directory;
    this.options = options;
    this.ambient = ambient;
    this.lockChannel = lockChannel;
  }

  /**
   * Opens the directory, and creates it when it does not exist.
   *
   * @param cipher encrypts the queued calls, with keys derived from its own
   * @param random returns the requested number of unpredictable bytes, which never repeat
   * @return the queues; null when the settings have no directory
   * @throws IllegalStateException when there is no secret key, when another process uses the
   *     directory, or when it cannot be written; the message is one sentence for an operator
   */
  public static @Nullable DiskQueues open(
      DestinationQueueSettings settings,
      SecretCipher cipher,
      IntFunction<byte[]> random,
      Ambient ambient) {
    Path directory = settings.directory();
    if (directory == null) {
      return null;
    }
    try {
      cipher.keyName();
      QueueFilePermissions.createDirectories(directory);
      FileChannel lockChannel = lock(directory);
      var options = new Options(settings.maxBytes(), cipher, random);
      return new DiskQueues(directory, options, ambient, lockChannel);
    } catch (SecretKeyException e) {
      throw new IllegalStateException(
          "observability_queue.directory cannot be used, since calls are encrypted there: "
              + e.getMessage(),
          e);
    } catch (IOException e) {
      throw new IllegalStateException(
          "observability_queue.directory cannot be used: " + explain(e), e);
    }
  }

  private static String explain(IOException e) {
    return e instanceof FileSystemException
        ? e.getClass().getSimpleName() + ": " + e.getMessage()
        : String.valueOf(e.getMessage());
  }

  private static FileChannel lock(Path directory) throws IOException {
    Path file = directory.resolve(LOCK);
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            QueueFilePermissions.file(file));
    try {
      if (tryLock(channel) != null) {
        return channel;
      }
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw new IOException(
        directory + " is in use by another gateway; every gateway needs a directory of its own");
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /** Returns the name of a key's directory: a digest, since a key may be any text. */
  static String name(String key) {
    return "destination-" + HexFormat.of().formatHex(Sha256.of(key), 0, NAME_BYTES);
  }

  /**
   * Returns the queue of a destination. Reads its files the first time.
   *
   * @param key identifies the destination, also after a restart
   */
  DiskQueue queue(String key) {
    String name = name(key);
    lock.lock();
    try {
      return queues.computeIfAbsent(
          name, absent -> new DiskQueue(directory.resolve(name), name, options, ambient));
    } finally {
      lock.unlock();
    }
  }

  /** Deletes the queue of a destination that was deleted, and what waits in it. */
  void delete(String key) {
    String name = name(key);
    lock.lock();
    try {
      DiskQueue queue = queues.remove(name);
      if (queue != null) {
        queue.delete();
      } else if (Files.exists(directory.resolve(name))) {
        new DiskQueue(directory.resolve(name), name, options, ambient).delete();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Deletes the queues of destinations that no longer exist.
   *
   * @param keys the keys of all existing destinations
   */
  void deleteAllBut(Set<String> keys) {
    Set<String> expectedNames = keys.stream().map(DiskQueues::name).collect(Collectors.toSet());
    lock.lock();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path path : entries) {
        String name = Objects.toString(path.getFileName());
        if (NAME.matcher(name).matches() && !expectedNames.contains(name)) {
          log.warn("{} is deleted: its destination no longer exists", path);
          queues.remove(name);
          new DiskQueue(path, name, options, ambient).delete();
        }
      }
    } catch (IOException e) {
      log.error("{} cannot be listed: {}", directory, e.toString());
    } finally {
      lock.unlock();
    }
  }

  /** Keeps queued calls for the next start, and unlocks the directory. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      queues.values().forEach(DiskQueue::close);
      queues.clear();
      lockChannel.close(); // gives up the lock as well
    } catch (IOException e) {
      log.debug("closing the lock of {} failed", directory, e);
    } finally {
      lock.unlock();
    }
  }
}
