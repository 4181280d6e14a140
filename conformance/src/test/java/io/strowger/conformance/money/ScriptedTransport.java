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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A transport without a network: each request gets the next script as its response. */
final class ScriptedTransport implements Transport {
  private static final long PAUSE_NANOS = 100_000;

  private final Deque<Script> scripts = new ArrayDeque<>();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong closed = new AtomicLong();

  /** The content type and the steps of one response. */
  record Script(String contentType, List<Step> steps) {}

  /** One step in the body of a response. */
  sealed interface Step {
    /** Sends this text. */
    record Send(String text) implements Step {}

    /** Sends this text again and again until the gateway disconnects. */
    record SendForever(String text) implements Step {}

    /** Sends nothing until the gateway disconnects, and meanwhile runs the task repeatedly. */
    record Silence(Runnable task) implements Step {}

    /** Runs the task once and sends nothing. */
    record RunTask(Runnable task) implements Step {}

    /** Breaks the connection. */
    record Reset() implements Step {}

    /** Throws an unexpected exception, as a bug of the transport or the adapter does. */
    record Bug() implements Step {}
  }

  /** Adds a script that answers with an event stream. */
  ScriptedTransport streams(Step... steps) {
    scripts.add(new Script("text/event-stream", List.of(steps)));
    return this;
  }

  /** Adds a script that answers with a JSON document. */
  ScriptedTransport answers(String document) {
    scripts.add(new Script("application/json", List.of(new Step.Send(document))));
    return this;
  }

  /** Returns how many bytes the gateway has read so far. */
  long sent() {
    return sent.get();
  }

  /** Returns how many responses the gateway has closed. */
  long closed() {
    return closed.get();
  }

  @Override
  public Response send(Request request) throws IOException {
    Script script = scripts.poll();
    if (script == null) {
      throw new IOException("no script is left");
    }
    return new ScriptedResponse(script, request.cancellation());
  }

  @Override
  public void close() {}

  private final class ScriptedResponse implements Response {
    private final Script script;
    private final Body body;
    private volatile boolean isClosed;

    ScriptedResponse(Script script, Cancellation cancellation) {
      this.script = script;
      this.body = new Body(script.steps(), () -> isClosed || cancellation.isCancelled());
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
      if (!isClosed) {
        isClosed = true;
        closed.incrementAndGet();
      }
    }
  }

  private final class Body extends InputStream {
    private final Deque<Step> steps;
    private final BooleanSupplier isOver;
    private byte[] piece = {};
    private int position;

    Body(List<Step> steps, BooleanSupplier isOver) {
      this.steps = new ArrayDeque<>(steps);
      this.isOver = isOver;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      while (position == piece.length) {
        if (isOver.getAsBoolean()) {
          throw new IOException("the response was closed or cancelled");
        }
        if (!next()) {
          return -1;
        }
      }
      int count = Math.min(length, piece.length - position);
      System.arraycopy(piece, position, buffer, offset, count);
      position += count;
      sent.addAndGet(count);
      return count;
    }

    /** Takes the next step; returns false at the end of the body. */
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
        case Step.SendForever(String text) -> take(text);
        case Step.Silence(Runnable task) -> {
          while (!isOver.getAsBoolean()) {
            task.run();
            LockSupport.parkNanos(PAUSE_NANOS);
          }
        }
        case Step.RunTask(Runnable task) -> {
          steps.remove();
          task.run();
        }
        case Step.Reset reset -> throw new IOException("Connection reset");
        case Step.Bug bug -> throw new IllegalStateException("a bug of a transport");
      }
      return true;
    }

    private void take(String text) {
      piece = text.getBytes(StandardCharsets.UTF_8);
      position = 0;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int available() {
      return piece.length - position;
    }
  }
}
