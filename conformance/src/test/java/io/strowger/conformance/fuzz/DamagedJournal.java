package io.strowger.conformance.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A journal file with damage that the bytes of the fuzzer decide. This class shares no code with
 * the journal; it knows the format only from its description: a header, then frames of two magic
 * bytes, a length, a checksum over the node's id, the length and the content, and the content.
 */
final class DamagedJournal {
  private static final int HEADER = 102;
  private static final int NODE_AT = 13;
  private static final int BOOT_AT = 38;
  private static final int HEADER_CRC_AT = HEADER - 4;
  private static final int FRAME_HEADER = 10;
  private static final int MAX_CHANGES = 4;

  private final FuzzChoices choices;
  private byte[] file;
  private boolean repeated;
  private boolean forged;

  private DamagedJournal(byte[] file, FuzzChoices choices) {
    this.file = file;
    this.choices = choices;
  }

  static DamagedJournal of(byte[] file, byte[] input) {
    var damaged = new DamagedJournal(file.clone(), new FuzzChoices(input));
    int changes = damaged.choices.below(MAX_CHANGES);
    for (int i = 0; i <= changes && !damaged.choices.isEmpty(); i++) {
      damaged.change();
    }
    return damaged;
  }

  byte[] bytes() {
    return file;
  }

  /** Returns whether a part of the file was duplicated. */
  boolean isRepeated() {
    return repeated;
  }

  /** Returns whether an item was changed together with its checksum, which needs the node's id. */
  boolean isForged() {
    return forged;
  }

  private void change() {
    switch (choices.below(8)) {
      case 0 -> file = Arrays.copyOf(file, offset(file.length + 1));
      case 1 -> overwrite((byte) choices.below(256), 1);
      case 2 -> overwrite((byte) 0, 1 + choices.below(4096));
      case 3 -> insert(choices.text().getBytes(StandardCharsets.UTF_8));
      case 4 -> remove();
      case 5 -> repeat();
      case 6 -> otherBoot();
      default -> forge();
    }
  }

  private int offset(int bound) {
    return bound == 0 ? 0 : (choices.below(1 << 15) << 8 | choices.below(256)) % bound;
  }

  private void overwrite(byte with, int length) {
    int at = offset(file.length);
    Arrays.fill(file, at, Math.min(file.length, at + length), with);
  }

  private void insert(byte[] more) {
    splice(offset(file.length + 1), 0, more);
  }

  private void remove() {
    splice(offset(file.length + 1), 1 + choices.below(512), new byte[0]);
  }

  private void repeat() {
    int from = offset(file.length);
    int to = Math.min(file.length, from + 1 + choices.below(4096));
    splice(offset(file.length + 1), 0, Arrays.copyOfRange(file, from, to));
    repeated = true;
  }

  private void splice(int at, int removed, byte[] inserted) {
    var out = new ByteArrayOutputStream();
    out.write(file, 0, at);
    out.writeBytes(inserted);
    int rest = Math.min(file.length, at + removed);
    out.write(file, rest, file.length - rest);
    file = out.toByteArray();
  }

  /** Changes the boot id, as if the machine had been restarted since. */
  private void otherBoot() {
    if (file.length >= HEADER) {
      file[BOOT_AT] = file[BOOT_AT] == 'x' ? (byte) 'y' : (byte) 'x';
      var crc = new CRC32C();
      crc.update(file, 0, HEADER_CRC_AT);
      ByteBuffer.wrap(file).putInt(HEADER_CRC_AT, (int) crc.getValue());
    }
  }

  /** Changes the content of an item and corrects its checksum. */
  private void forge() {
    List<Integer> frames = frames();
    if (frames.isEmpty()) {
      return;
    }
    int at = frames.get(choices.below(frames.size()));
    int length = ByteBuffer.wrap(file).getInt(at + 2);
    int changes = 1 + choices.below(4);
    for (int i = 0; i < changes; i++) {
      file[at + FRAME_HEADER + choices.below(Math.min(length, 1 << 15))] =
          (byte) choices.below(256);
    }
    var crc = new CRC32C();
    crc.update(file, NODE_AT, 16);
    crc.update(file, at + 2, 4);
    crc.update(file, at + FRAME_HEADER, length);
    ByteBuffer.wrap(file).putInt(at + 6, (int) crc.getValue());
    forged = true;
  }

  private List<Integer> frames() {
    var frames = new ArrayList<Integer>();
    int at = HEADER;
    while (at + FRAME_HEADER < file.length) {
      int length = ByteBuffer.wrap(file).getInt(at + 2);
      if (length <= 0 || length > file.length - at - FRAME_HEADER) {
        return frames;
      }
      frames.add(at);
      at += FRAME_HEADER + length;
    }
    return frames;
  }
}
