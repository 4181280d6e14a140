package io.strowger.stores.journal;

import io.strowger.stores.files.OwnerOnlyFiles;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where a journal's files are written; tests have one that fails. */
interface JournalFileSystem {
  /** A new file. */
  Output create(Path file) throws IOException;

  /** Makes sure that files which were made are still there after a power loss. */
  void forceDirectory(Path directory) throws IOException;

  /** A file under way. */
  interface Output extends Closeable {
    /** Writes at the end, all of it or, when it fails, any part. */
    void write(byte[] bytes) throws IOException;

    /** Takes away what is behind. */
    void truncate(long length) throws IOException;

    /** Returns when all of it is on the disk itself. */
    void force() throws IOException;
  }

  /** The machine's own. */
  static JournalFileSystem real() {
    return new JournalFileSystem() {
      @Override
      public Output create(Path file) throws IOException {
        return new RealOutput(file);
      }

      @Override
      public void forceDirectory(Path directory) throws IOException {
        if (File.separatorChar == '\\') {
          return; // a directory cannot be opened there, and need not be
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
          channel.force(true);
        }
      }
    };
  }

  /** Not a file channel: those close themselves when a thread is interrupted. */
  final class RealOutput implements Output {
    private final RandomAccessFile file;

    RealOutput(Path path) throws IOException {
      OwnerOnlyFiles.createFile(path);
      file = new RandomAccessFile(path.toFile(), "rw");
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      file.write(bytes);
    }

    @Override
    public void truncate(long length) throws IOException {
      file.setLength(length);
      file.seek(length);
    }

    @Override
    public void force() throws IOException {
      file.getFD().sync();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
