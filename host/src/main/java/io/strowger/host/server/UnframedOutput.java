package io.strowger.host.server;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import io.helidon.http.DateTime;
import io.helidon.http.Header;
import io.helidon.webserver.http.ServerResponse;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * An answer of unknown length for a client that cannot read chunks: it ends where the connection
 * ends. The web server only knows answers with a length or in chunks, so this one is written past
 * it, head and all.
 */
final class UnframedOutput extends FilterOutputStream {
  private static final int BUFFER = 4 * 1024;

  /**
   * Begins the answer; its head leaves with the first bytes that are flushed.
   *
   * @param response has status and headers
   */
  UnframedOutput(ServerResponse response, DataWriter connection) throws IOException {
    super(new BufferedOutputStream(new Pieces(connection), BUFFER));
    out.write(head(response));
  }

  private static byte[] head(ServerResponse response) {
    BufferData head = BufferData.growing(512);
    head.write(
        ("HTTP/1.1 %d %s\r\nDate: "
                .formatted(response.status().code(), response.status().reasonPhrase()))
            .getBytes(StandardCharsets.US_ASCII));
    head.write(DateTime.http1Bytes());
    for (Header header : response.headers()) {
      header.validate();
      header.writeHttp1Header(head);
    }
    head.write("\r\n".getBytes(StandardCharsets.US_ASCII));
    return head.readBytes();
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    out.write(bytes, from, length); // the superclass would write byte by byte
  }

  /** Sends what was written. The connection stays open: whoever closes it ends the answer. */
  @Override
  public void close() throws IOException {
    flush();
  }

  private static final class Pieces extends OutputStream {
    private final DataWriter connection;

    Pieces(DataWriter connection) {
      this.connection = connection;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      connection.writeNow(BufferData.create(bytes, from, length));
    }
  }
}
