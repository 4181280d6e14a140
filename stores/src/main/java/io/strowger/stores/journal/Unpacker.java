package io.strowger.stores.journal;

import io.strowger.spi.store.GenerationStore.Generation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what a {@link Packer} wrote. For one thread. */
final class Unpacker {
  private final byte[] bytes;
  private final int end;
  private final List<String> texts = new ArrayList<>();
  private int position;

  Unpacker(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private Unpacker(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.position = from;
    this.end = end;
  }

  private static IOException unreadable() {
    return new IOException("an item of the journal has a valid checksum but cannot be decoded");
  }

  int octet() throws IOException {
    if (position == end) {
      throw unreadable();
    }
    return bytes[position++] & 0xFF;
  }

  long number() throws IOException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int octet = octet();
      value |= (octet & 0x7FL) << shift;
      if (octet < 0x80) {
        return value;
      }
    }
    throw unreadable();
  }

  int count() throws IOException {
    long value = number();
    if (value < 0 || value > end - position) { // each item takes a byte at least
      throw unreadable();
    }
    return (int) value;
  }

  String text() throws IOException {
    return new String(block(), StandardCharsets.UTF_8);
  }

  /** Skips a text and returns whether it equals the expected one. */
  boolean skipText(byte[] expected) throws IOException {
    int length = count();
    position += length;
    return Arrays.equals(bytes, position - length, position, expected, 0, expected.length);
  }

  /** Reads a text that {@link Packer#shared} wrote. */
  String shared() throws IOException {
    long code = number();
    if (code >= Packer.REPEATED) {
      if (code - Packer.REPEATED >= texts.size()) {
        throw unreadable();
      }
      return texts.get((int) code - Packer.REPEATED);
    }
    String text = code == Packer.KEY ? key() : code == Packer.NEW ? text() : null;
    if (text == null) {
      throw unreadable();
    }
    texts.add(text);
    return text;
  }

  private String key() throws IOException {
    if (end - position < Packer.KEY_BYTES) {
      throw unreadable();
    }
    position += Packer.KEY_BYTES;
    return Packer.KEY_PREFIX
        + HexFormat.of().formatHex(bytes, position - Packer.KEY_BYTES, position);
  }

  /** Reads the rest of a record, after its id and owner. */
  Generation record(String id, String owner) throws IOException {
    return new Generation(id, owner, moment(), block(), optionalBlock());
  }

  byte[] block() throws IOException {
    int length = count();
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  /** Skips a block and returns a reader of it. */
  Unpacker part() throws IOException {
    int length = count();
    position += length;
    return new Unpacker(bytes, position - length, position);
  }

  byte @Nullable [] optionalBlock() throws IOException {
    return octet() == 0 ? null : block();
  }

  Instant moment() throws IOException {
    try {
      return Instant.ofEpochSecond(number(), number());
    } catch (DateTimeException | ArithmeticException e) {
      throw new IOException(unreadable().getMessage(), e);
    }
  }

  boolean hasMore() {
    return position < end;
  }

  void end() throws IOException {
    if (position != end) {
      throw unreadable();
    }
  }
}
