package io.strowger.stores.journal;

import io.strowger.stores.files.OwnerOnlyFiles;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file system of a journal; tests use one that fails. */
interface JournalFileSystem {
  /** Creates a file. */
  Output create(Path file) throws IOException;

  /** Makes sure that newly created files survive a power loss. */
  void forceDirectory(Path directory) throws IOException;

  /** A file that is being written. */
  interface Output extends Closeable {
    /** Writes at the end: all bytes or, when writing fails, any part of them. */
    void write(byte[] bytes) throws IOException;

    /** Cuts the file at a length. */
    void truncate(long length) throws IOException;

    /**
     * Returns when everything written is on the disk itself. When that fails, a later success says
     * nothing about what was written before the failure, since the operating system may have
     * dropped it; see {@link #rewrite}.
     */
    void force() throws IOException;

    /** Reads the bytes from an offset to another, as the operating system has them. */
    byte[] read(long from, long end) throws IOException;

    /** Writes the last bytes of the file again, so that the next {@link #force} includes them. */
    void rewrite(long from, byte[] bytes) throws IOException;
  }

  /** Returns the file system of the machine. */
  static JournalFileSystem system() {
    return new JournalFileSystem() {
      @Override
      public Output create(Path file) throws IOException {
        return new FileOutput(file);
      }

      @Override
      public void forceDirectory(Path directory) throws IOException {
        if (File.separatorChar == '\\') {
          return; // on Windows a directory cannot be opened, and need not be
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
          channel.force(true);
        }
      }
    };
  }

  /** A file without a file channel, which would close itself when its thread is interrupted. */
  final class FileOutput implements Output {
    private final RandomAccessFile file;

    FileOutput(Path path) throws IOException {
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
    public byte[] read(long from, long end) throws IOException {
      byte[] bytes = new byte[Math.toIntExact(end - from)];
      file.seek(from);
      file.readFully(bytes);
      return bytes;
    }

    @Override
    public void rewrite(long from, byte[] bytes) throws IOException {
      file.seek(from);
      file.write(bytes);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
