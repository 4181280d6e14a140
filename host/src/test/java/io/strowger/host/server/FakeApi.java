package io.strowger.host.server;

import io.strowger.core.wire.WireBody;
import io.strowger.core.wire.WireRequest;
import io.strowger.core.wire.WireResponse;
import io.strowger.spi.provider.Cancellation;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A stand-in for the engine, with one behaviour for each path. */
final class FakeApi implements Function<WireRequest, WireResponse> {
  /** The piece that ends a stream. */
  static final String END = "<end>";

  /** The piece that makes a stream fail. */
  static final String FAIL = "<fail>";

  /** The requests to {@code /wait}, {@code /stream} and {@code /endless}, as they arrive. */
  private final BlockingQueue<Running> waiting = new LinkedBlockingQueue<>();

  /**
   * A request that is being served.
   *
   * @param pieces the pieces that its stream still has to deliver
   */
  record Running(Cancellation cancellation, BlockingQueue<String> pieces) {}

  /** The method and path of every request that was served. */
  final Queue<String> served = new ConcurrentLinkedQueue<>();

  /** The failures of reading bodies. */
  final BlockingQueue<IOException> readFailures = new LinkedBlockingQueue<>();

  final CountDownLatch bodiesClosed = new CountDownLatch(1);

  @Override
  public WireResponse apply(WireRequest request) {
    served.add(request.method() + " " + request.path());
    return switch (request.path()) {
      case "/echo" -> text(200, body(request));
      case "/what" ->
          text(
              200,
              request.method() + " " + request.query() + " " + request.headers().first("X-Who"));
      case "/health" -> text(200, "{\"status\":\"ok\"}");
      case "/refuse" -> text(401, "no");
      case "/wait" -> await(request);
      case "/stream" -> stream(request);
      case "/endless" -> endless(request);
      case "/throw" -> throw new IllegalStateException("secret detail");
      default -> text(405, request.method() + " " + request.path());
    };
  }

  /** Reads a body as the engine does: not a byte beyond the declared length. */
  private String body(WireRequest request) {
    try {
      String declared = request.headers().first("Content-Length");
      int length = declared == null ? Integer.MAX_VALUE : Integer.parseInt(declared);
      return new String(request.body().readNBytes(length), StandardCharsets.UTF_8);
    } catch (IOException e) {
      readFailures.add(e);
      return "unreadable";
    }
  }

  private WireResponse await(WireRequest request) {
    body(request);
    var over = new CountDownLatch(1);
    request.cancellation().onCancel(over::countDown);
    waiting.add(new Running(request.cancellation(), new LinkedBlockingQueue<>()));
    try {
      boolean cancelled = over.await(30, TimeUnit.SECONDS);
      return text(503, "cancelled: " + cancelled);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private WireResponse stream(WireRequest request) {
    body(request);
    var pieces = new LinkedBlockingQueue<String>();
    request.cancellation().onCancel(() -> pieces.add(END));
    waiting.add(new Running(request.cancellation(), pieces));
    return new WireResponse(200, Map.of("Content-Type", "text/event-stream"), new Stream(pieces));
  }

  /** Answers with a body that never ends, so that it fills every buffer. */
  private WireResponse endless(WireRequest request) {
    body(request);
    waiting.add(new Running(request.cancellation(), new LinkedBlockingQueue<>()));
    return new WireResponse(200, Map.of("Content-Type", "text/event-stream"), new Endless());
  }

  static WireResponse text(int status, String text) {
    return new WireResponse(
        status,
        Map.of("Content-Type", "text/plain"),
        WireBody.of(text.getBytes(StandardCharsets.UTF_8)));
  }

  Running next() throws InterruptedException {
    return Objects.requireNonNull(waiting.poll(20, TimeUnit.SECONDS), "no request arrived");
  }

  private final class Endless implements WireBody {
    private final byte[] piece = new byte[16 * 1024];

    @Override
    public boolean writeNext(OutputStream out) throws IOException {
      out.write(piece);
      return true;
    }

    @Override
    public boolean ready() {
      return true;
    }

    @Override
    public long length() {
      return -1;
    }

    @Override
    public void close() {
      bodiesClosed.countDown();
    }
  }

  private final class Stream implements WireBody {
    private final BlockingQueue<String> pieces;

    Stream(BlockingQueue<String> pieces) {
      this.pieces = pieces;
    }

    @Override
    public boolean writeNext(OutputStream out) throws IOException {
      String piece;
      try {
        piece = pieces.poll(30, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new UncheckedIOException(new IOException(e));
      }
      if (FAIL.equals(piece)) {
        throw new IllegalStateException("broken stream");
      }
      if (piece == null || END.equals(piece)) {
        return false;
      }
      out.write(piece.getBytes(StandardCharsets.UTF_8));
      return true;
    }

    @Override
    public boolean ready() {
      return !pieces.isEmpty();
    }

    @Override
    public long length() {
      return -1;
    }

    @Override
    public void close() {
      bodiesClosed.countDown();
    }
  }
}
