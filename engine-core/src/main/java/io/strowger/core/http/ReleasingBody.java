package io.strowger.core.http;

import io.strowger.core.wire.WireBody;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A body that releases something when it is closed: the request's place among those in flight, or
 * the memory that an answer was read into. While a slow client reads the answer, no other answer
 * gets that memory.
 *
 * @param release run after each call that closes the body, so perhaps more than once
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
