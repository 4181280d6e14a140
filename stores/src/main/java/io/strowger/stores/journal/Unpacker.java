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
  private int at;

  Unpacker(byte[] bytes) {
    this(bytes, 0, bytes.length);
  }

  private Unpacker(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  private static IOException strange() {
    return new IOException("a record of the journal is sound and yet cannot be read");
  }

  int octet() throws IOException {
    if (at == end) {
      throw strange();
    }
    return bytes[at++] & 0xFF;
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
    throw strange();
  }

  int count() throws IOException {
    long value = number();
    if (value < 0 || value > end - at) { // each item takes a byte at least
      throw strange();
    }
    return (int) value;
  }

  String text() throws IOException {
    return new String(block(), StandardCharsets.UTF_8);
  }

  /** Skips a text and returns whether it equals the expected one. */
  boolean isText(byte[] wanted) throws IOException {
    int length = count();
    at += length;
    return Arrays.equals(bytes, at - length, at, wanted, 0, wanted.length);
  }

  /** Reads a text that {@link Packer#shared} wrote. */
  String shared() throws IOException {
    long which = number();
    if (which >= Packer.OLD) {
      if (which - Packer.OLD >= texts.size()) {
        throw strange();
      }
      return texts.get((int) which - Packer.OLD);
    }
    String text = which == Packer.KEY ? key() : which == Packer.NEW ? text() : null;
    if (text == null) {
      throw strange();
    }
    texts.add(text);
    return text;
  }

  private String key() throws IOException {
    if (end - at < Packer.KEY_BYTES) {
      throw strange();
    }
    at += Packer.KEY_BYTES;
    return Packer.KEY_BEGIN + HexFormat.of().formatHex(bytes, at - Packer.KEY_BYTES, at);
  }

  /** Reads the rest of a record, after its id and owner. */
  Generation record(String id, String owner) throws IOException {
    return new Generation(id, owner, moment(), block(), maybe());
  }

  byte[] block() throws IOException {
    int length = count();
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  /** Skips a block and returns a reader of it. */
  Unpacker part() throws IOException {
    int length = count();
    at += length;
    return new Unpacker(bytes, at - length, at);
  }

  byte @Nullable [] maybe() throws IOException {
    return octet() == 0 ? null : block();
  }

  Instant moment() throws IOException {
    try {
      return Instant.ofEpochSecond(number(), number());
    } catch (DateTimeException | ArithmeticException e) {
      throw new IOException(strange().getMessage(), e);
    }
  }

  boolean hasMore() {
    return at < end;
  }

  void end() throws IOException {
    if (at != end) {
      throw strange();
    }
  }
}
