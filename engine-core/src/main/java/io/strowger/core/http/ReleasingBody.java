package io.strowger.core.http;

import io.strowger.core.wire.WireBody;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A body that holds something until it is closed: the request's place among those in flight, or the
 * memory an answer was read into, which a slow client keeps and not the next answer.
 *
 * @param release run after the body was closed, at least once
 */
record ReleasingBody(WireBody body, Runnable release) implements WireBody {
  @Override
  public boolean writeNext(OutputStream out) throws IOException {
    return body.writeNext(out);
  }

  @Override
  public boolean ready() {
    return body.ready();
  }

  @Override
  public long length() {
    return body.length();
  }

  @Override
  public void close() {
    try {
      body.close();
    } finally {
      release.run();
    }
  }
}
