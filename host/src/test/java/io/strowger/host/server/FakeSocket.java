package io.strowger.host.server;

import java.io.ByteArrayOutputStream;
import java.nio.channels.Channel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A socket in memory. A test gives the pieces that the client sends, and can read what the client
 * has received.
 */
final class FakeSocket implements ClientSocket {
  private static final byte[] END = {};

  private final BlockingQueue<byte[]> sent = new LinkedBlockingQueue<>();
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final List<Integer> writes = new ArrayList<>();
  private final @Nullable Supplier<byte @Nullable []> client;
  private final Channel channel = new FakeChannel(this::end);
  private int largestWrite = Integer.MAX_VALUE;

  /** Creates a client that sends the pieces given to {@link #send}; reads wait for them. */
  FakeSocket() {
    this.client = null;
  }

  /** Creates a client that sends what a function returns; null for the end. */
  FakeSocket(Supplier<byte @Nullable []> client) {
    this.client = client;
  }

  /** Returns a client that sends these pieces and ends. */
  static FakeSocket sending(String... pieces) {
    var socket = new FakeSocket();
    for (String piece : pieces) {
      socket.send(piece);
    }
    socket.end();
    return socket;
  }

  void send(String piece) {
    sent.add(piece.getBytes(StandardCharsets.ISO_8859_1));
  }

  void end() {
    sent.add(END);
  }

  /** Sets the maximum number of bytes that one write accepts. */
  void limitWrites(int bytes) {
    largestWrite = bytes;
  }

  byte[] received() {
    return received.toByteArray();
  }

  String text() {
    return received.toString(StandardCharsets.ISO_8859_1);
  }

  /** Returns the size of each write, of which the client may have accepted less. */
  List<Integer> writes() {
    return writes;
  }

  @Override
  public byte @Nullable [] read() {
    if (client != null) {
      return client.get();
    }
    try {
      byte[] piece = sent.take();
      if (piece.length == 0) {
        sent.add(END); // for later reads
        return null;
      }
      return piece;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean supportsDirectRead() {
    return false;
  }

  @Override
  public int read(byte[] into, int from, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(byte[] bytes, int from, int length) {
    int count = Math.min(length, largestWrite);
    writes.add(length);
    received.write(bytes, from, count);
    return count;
  }

  @Override
  public void stopReading() {
    end();
  }

  @Override
  public void dropUnread(int most) {}

  @Override
  public Channel channel() {
    return channel;
  }
}
