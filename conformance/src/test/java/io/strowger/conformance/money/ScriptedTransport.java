package io.strowger.conformance.money;

import io.strowger.spi.provider.Cancellation;
import io.strowger.spi.provider.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A transport without a network: each request in turn gets the next script of bytes. */
final class ScriptedTransport implements Transport {
  private static final long A_MOMENT = 100_000; // nanoseconds

  private final Deque<Script> scripts = new ArrayDeque<>();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong closed = new AtomicLong();

  /** What one exchange does. */
  record Script(String contentType, List<Step> steps) {}

  /** One thing a connection does. */
  sealed interface Step {
    /** Sends this. */
    record Send(String text) implements Step {}

    /** Sends this again and again until the gateway hangs up. */
    record Forever(String text) implements Step {}

    /** Says nothing until the gateway hangs up; meanwhile something happens, maybe repeatedly. */
    record Silence(Runnable meanwhile) implements Step {}

    /** Says nothing while something happens, once. */
    record Meanwhile(Runnable happens) implements Step {}

    /** Breaks the connection. */
    record Reset() implements Step {}

    /** Is no connection at all: a bug of the transport or the adapter. */
    record Bug() implements Step {}
  }

  ScriptedTransport streams(Step... steps) {
    scripts.add(new Script("text/event-stream", List.of(steps)));
    return this;
  }

  ScriptedTransport answers(String document) {
    scripts.add(new Script("application/json", List.of(new Step.Send(document))));
    return this;
  }

  /** Bytes the gateway has read so far. */
  long sent() {
    return sent.get();
  }

  /** Exchanges the gateway has ended. */
  long closed() {
    return closed.get();
  }

  @Override
  public Response send(Request request) throws IOException {
    Script script = scripts.poll();
    if (script == null) {
      throw new IOException("nobody answers any more");
    }
    return new Exchange(script, request.cancellation());
  }

  @Override
  public void close() {}

  private final class Exchange implements Response {
    private final Script script;
    private final Body body;
    private volatile boolean over;

    Exchange(Script script, Cancellation cancellation) {
      this.script = script;
      this.body = new Body(script.steps(), () -> over || cancellation.isCancelled());
    }

    @Override
    public int status() {
      return 200;
    }

    @Override
    public @Nullable String header(String name) {
      return name.equalsIgnoreCase("content-type") ? script.contentType() : null;
    }

    @Override
    public InputStream body() {
      return body;
    }

    @Override
    public void close() {
      if (!over) {
        over = true;
        closed.incrementAndGet();
      }
    }
  }

  private interface Over {
    boolean get();
  }

  private final class Body extends InputStream {
    private final Deque<Step> steps;
    private final Over over;
    private byte[] piece = {};
    private int at;

    Body(List<Step> steps, Over over) {
      this.steps = new ArrayDeque<>(steps);
      this.over = over;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      while (at == piece.length) {
        if (over.get()) {
          throw new IOException("the exchange was ended");
        }
        if (!next()) {
          return -1;
        }
      }
      int count = Math.min(length, piece.length - at);
      System.arraycopy(piece, at, buffer, offset, count);
      at += count;
      sent.addAndGet(count);
      return count;
    }

    /** False at the end of the body. */
    private boolean next() throws IOException {
      Step step = steps.peek();
      switch (step) {
        case null -> {
          return false;
        }
        case Step.Send(String text) -> {
          steps.remove();
          take(text);
        }
        case Step.Forever(String text) -> take(text);
        case Step.Silence(Runnable meanwhile) -> {
          while (!over.get()) {
            meanwhile.run();
            LockSupport.parkNanos(A_MOMENT);
          }
        }
        case Step.Meanwhile(Runnable happens) -> {
          steps.remove();
          happens.run();
        }
        case Step.Reset reset -> throw new IOException("Connection reset");
        case Step.Bug bug -> throw new IllegalStateException("a bug of a transport");
      }
      return true;
    }

    private void take(String text) {
      piece = text.getBytes(StandardCharsets.UTF_8);
      at = 0;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int available() {
      return piece.length - at;
    }
  }
}
