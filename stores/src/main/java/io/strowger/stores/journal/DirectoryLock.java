package io.strowger.stores.journal;

import io.strowger.stores.files.OwnerOnlyFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Locks a data directory for one process. When the process ends, the operating system releases the
 * lock.
 */
final class DirectoryLock implements Closeable {
  private static final String NAME = "in-use.lock";

  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  static DirectoryLock acquire(Path directory) throws IOException {
    Path file = directory.resolve(NAME);
    FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            OwnerOnlyFiles.fileAttributes(file));
    try {
      if (lock(channel) != null) {
        return new DirectoryLock(channel);
      }
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw new IOException(
        "the data directory "
            + directory
            + " is in use by another process; every gateway needs one of its own");
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException alreadyOurs) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close(); // releases the lock as well
  }
}
