package io.strowger.stores.journal;

import java.io.IOException;
import java.nio.file.Path;

/** A disk that takes so many bytes and no more, until room is made. */
final class FaultyDisk implements JournalFileSystem {
  private final JournalFileSystem real = JournalFileSystem.system();
  private long room;
  private boolean truncates = true;
  private boolean forces = true;
  private int forced;

  FaultyDisk(long room) {
    this.room = room;
  }

  void room(long bytes) {
    room = bytes;
  }

  void truncates(boolean value) {
    truncates = value;
  }

  void forces(boolean value) {
    forces = value;
  }

  /** How often a file was forced. */
  int forced() {
    return forced;
  }

  @Override
  public Output create(Path file) throws IOException {
    Output output = real.create(file);
    return new Output() {
      @Override
      public void write(byte[] bytes) throws IOException {
        int taken = (int) Math.min(room, bytes.length);
        room -= taken;
        byte[] part = new byte[taken];
        System.arraycopy(bytes, 0, part, 0, taken);
        output.write(part);
        if (taken < bytes.length) {
          throw new IOException("no space left on device");
        }
      }

      @Override
      public void truncate(long length) throws IOException {
        if (!truncates) {
          throw new IOException("input/output error");
        }
        output.truncate(length);
      }

      @Override
      public void force() throws IOException {
        if (!forces) {
          throw new IOException("input/output error");
        }
        forced++;
      }

      @Override
      public void close() throws IOException {
        output.close();
      }
    };
  }

  @Override
  public void forceDirectory(Path directory) {
    // names are not what this disk loses
  }
}
