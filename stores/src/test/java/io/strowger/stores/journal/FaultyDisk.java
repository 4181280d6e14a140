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
 * A disk that accepts a limited number of bytes, until more room is made. Like Linux, it reports a
 * failed force once: what was written before is dropped, and the next force succeeds without it.
 */
final class FaultyDisk implements JournalFileSystem {
  private final JournalFileSystem real = JournalFileSystem.system();
  private final Map<Path, byte[]> forcedContents = new LinkedHashMap<>();
  private long room;
  private boolean canTruncate = true;
  private boolean canForce = true;
  private int forceCount;
  private Runnable afterForce = () -> {};

  FaultyDisk(long room) {
    this.room = room;
  }

  void setRoom(long bytes) {
    room = bytes;
  }

  void setCanTruncate(boolean value) {
    canTruncate = value;
  }

  void setCanForce(boolean value) {
    canForce = value;
  }

  /** Runs something once, right after the next file was forced. */
  void afterForce(Runnable action) {
    afterForce = action;
  }

  /** Returns how often a file was forced. */
  int forceCount() {
    return forceCount;
  }

  /** Leaves only what was forced in each file. */
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
    // this disk does not lose the names of files
  }

  /** Bytes that were written and not forced. */
  private record UnforcedBytes(long from, byte[] bytes) {}

  private final class FaultyOutput implements Output {
    private final Path file;
    private final Output output;
    private final List<UnforcedBytes> unforced = new ArrayList<>();
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
      unforced.add(new UnforcedBytes(length, part));
      length += taken;
      if (taken < bytes.length) {
        throw new IOException("no space left on device");
      }
    }

    @Override
    public void truncate(long newLength) throws IOException {
      if (!canTruncate) {
        throw new IOException("input/output error");
      }
      output.truncate(newLength);
      length = newLength;
    }

    @Override
    public void force() throws IOException {
      List<UnforcedBytes> all = List.copyOf(unforced);
      unforced.clear();
      if (!canForce) {
        throw new IOException("input/output error");
      }
      forceCount++;
      for (UnforcedBytes each : all) {
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
      unforced.add(new UnforcedBytes(from, bytes));
    }

    @Override
    public void close() throws IOException {
      output.close();
    }
  }
}
