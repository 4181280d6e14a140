package io.strowger.host.server;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decodes a sequence of gzip members (RFC 1952). Every byte of the body must belong to a complete
 * member; unlike the JDK's stream, this does not ignore bytes after a trailer. Confined to one
 * thread.
 */
final class GzipMembers implements ContentDecoding.Decoder {
  private static final int BUFFER = 8 * 1024;
  private static final int HEADER_CHECKSUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xe0;

  private final InputStream encoded;
  private final byte[] buffer = new byte[BUFFER];
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private int position;
  private int limit;
  private boolean inMember;

  GzipMembers(InputStream encoded) {
    this.encoded = encoded;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    while (inMember || beginMember()) {
      int count = inflate(into, from, length);
      if (count > 0) {
        checksum.update(into, from, count);
        return count;
      }
      if (inflater.finished()) {
        endMember();
      } else if (inflater.needsDictionary()) {
        throw new ZipException("a gzip member asks for a dictionary");
      } else if (inflater.needsInput()) {
        if (!fill()) {
          throw truncated();
        }
        fillInflater();
      }
    }
    return -1;
  }

  private int inflate(byte[] into, int from, int length) throws ZipException {
    try {
      return inflater.inflate(into, from, length);
    } catch (DataFormatException e) {
      var failure = new ZipException("a gzip member is broken");
      failure.initCause(e);
      throw failure;
    }
  }

  /** Passes all buffered bytes to the inflater. */
  private void fillInflater() {
    inflater.setInput(buffer, position, limit - position);
    position = limit;
  }

  /**
   * Reads the header of the next member.
   *
   * @return false at the end of the body
   */
  private boolean beginMember() throws IOException {
    if (position == limit && !fill()) {
      return false;
    }
    checksum.reset();
    if (readByte() != 0x1f || readByte() != 0x8b) {
      throw new ZipException("not a gzip member");
    }
    if (readByte() != 8) {
      throw new ZipException("a gzip member is not deflated");
    }
    int flags = readByte();
    if ((flags & RESERVED) != 0) {
      throw new ZipException("a gzip member has unknown flags");
    }
    skip(6); // time, extra flags, system
    if ((flags & EXTRA) != 0) {
      skip((int) readLittleEndian(2));
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_CHECKSUM) != 0) {
      long expected = checksum.getValue() & 0xffff;
      if (readLittleEndian(2) != expected) {
        throw new ZipException("a gzip header does not match its checksum");
      }
    }
    checksum.reset();
    inflater.reset();
    fillInflater();
    inMember = true;
    return true;
  }

  private void endMember() throws IOException {
    position = limit - inflater.getRemaining();
    inMember = false;
    long expected = checksum.getValue();
    long size = inflater.getBytesWritten() & 0xffff_ffffL;
    if (readLittleEndian(4) != expected || readLittleEndian(4) != size) {
      throw new ZipException("a gzip member does not match its checksum or length");
    }
  }

  private void skip(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      readByte();
    }
  }

  private void skipText() throws IOException {
    int value;
    do {
      value = readByte();
    } while (value != 0);
  }

  /** Reads a little-endian number of this many bytes. */
  private long readLittleEndian(int bytes) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (long) readByte() << 8 * i;
    }
    return value;
  }

  /** Reads the next byte of a header or trailer. */
  private int readByte() throws IOException {
    if (position == limit && !fill()) {
      throw truncated();
    }
    int value = buffer[position++] & 0xff;
    checksum.update(value);
    return value;
  }

  private boolean fill() throws IOException {
    position = 0;
    // 0 only at the end: a read into an array that is not empty returns at least 1, or -1
    limit = Math.max(0, encoded.read(buffer));
    return limit > 0;
  }

  private static EOFException truncated() {
    return new EOFException("the body ends inside of a gzip member");
  }

  @Override
  public void close() {
    inflater.end();
  }
}
