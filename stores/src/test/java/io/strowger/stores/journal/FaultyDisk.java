package io.strowger.stores.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A disk that takes so many bytes and no more, until room is made. Like Linux, it reports a failed
 * force once: what was written before it is dropped, and the next force succeeds without it.
 */
final class FaultyDisk implements JournalFileSystem {
  private final JournalFileSystem real = JournalFileSystem.system();
  private final Map<Path, byte[]> forcedContents = new LinkedHashMap<>();
  private long room;
  private boolean truncates = true;
  private boolean forces = true;
  private int forced;
  private Runnable afterForce = () -> {};

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

  /** Runs something once, right after the next file was forced. */
  void afterForce(Runnable action) {
    afterForce = action;
  }

  /** How often a file was forced. */
  int forced() {
    return forced;
  }

  /** Leaves of each file only what was forced. */
  void losePower() throws IOException {
    for (Map.Entry<Path, byte[]> each : forcedContents.entrySet()) {
      Files.write(each.getKey(), each.getValue());
    }
  }

  @Override
  public Output create(Path file) throws IOException {
    forcedContents.put(file, new byte[0]);
    return new FaultyOutput(file, real.create(file));
  }

  @Override
  public void forceDirectory(Path directory) {
    // names are not what this disk loses
  }

  /** Bytes that were written and not forced. */
  private record Unforced(long from, byte[] bytes) {}

  private final class FaultyOutput implements Output {
    private final Path file;
    private final Output output;
    private final List<Unforced> unforced = new ArrayList<>();
    private long length;

    FaultyOutput(Path file, Output output) {
      this.file = file;
      this.output = output;
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      int taken = (int) Math.min(room, bytes.length);
      room -= taken;
      byte[] part = Arrays.copyOf(bytes, taken);
      output.write(part);
      unforced.add(new Unforced(length, part));
      length += taken;
      if (taken < bytes.length) {
        throw new IOException("no space left on device");
      }
    }

    @Override
    public void truncate(long newLength) throws IOException {
      if (!truncates) {
        throw new IOException("input/output error");
      }
      output.truncate(newLength);
      length = newLength;
    }

    @Override
    public void force() throws IOException {
      List<Unforced> all = List.copyOf(unforced);
      unforced.clear();
      if (!forces) {
        throw new IOException("input/output error");
      }
      forced++;
      for (Unforced each : all) {
        int end = Math.toIntExact(each.from()) + each.bytes().length;
        byte[] before = forcedContents.getOrDefault(file, new byte[0]);
        byte[] content = Arrays.copyOf(before, Math.max(before.length, end));
        System.arraycopy(each.bytes(), 0, content, (int) each.from(), each.bytes().length);
        forcedContents.put(file, content);
      }
      Runnable action = afterForce;
      afterForce = () -> {};
      action.run();
    }

    @Override
    public byte[] read(long from, long end) throws IOException {
      return output.read(from, end);
    }

    @Override
    public void rewrite(long from, byte[] bytes) throws IOException {
      output.rewrite(from, bytes);
      unforced.add(new Unforced(from, bytes));
    }

    @Override
    public void close() throws IOException {
      output.close();
    }
  }
}
