package io.strowger.host.server;

import io.helidon.http.Headers;
import io.helidon.http.encoding.ContentDecoder;
import io.helidon.http.encoding.ContentEncoder;
import io.helidon.http.encoding.ContentEncodingContext;
import io.helidon.http.encoding.ContentEncodingContextConfig;

/**
 * Tells the web server to hand on every body as it came: {@link ContentDecoding} decodes it, once
 * it is known who sent it. Without this the server refuses an encoding as no valid HTTP.
 */
final class UndecodedContent implements ContentEncodingContext {
  private final ContentEncodingContextConfig prototype =
      ContentEncodingContextConfig.builder()
          .contentEncodingsDiscoverServices(false)
          .buildPrototype();

  @Override
  public boolean contentEncodingEnabled() {
    return false;
  }

  @Override
  public boolean contentDecodingEnabled() {
    return true;
  }

  @Override
  public boolean contentEncodingSupported(String encoding) {
    return false;
  }

  @Override
  public boolean contentDecodingSupported(String encoding) {
    return true;
  }

  @Override
  public ContentEncoder encoder(String encoding) {
    return ContentEncoder.NO_OP;
  }

  @Override
  public ContentDecoder decoder(String encoding) {
    return ContentDecoder.NO_OP;
  }

  @Override
  public ContentEncoder encoder(Headers headers) {
    return ContentEncoder.NO_OP;
  }

  @Override
  public ContentEncodingContextConfig prototype() {
    return prototype;
  }
}
