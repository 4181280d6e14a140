package io.strowger.simulated;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The gemini dialect: {@code POST .../models/MODEL:generateContent}, or {@code
 * :streamGenerateContent}. The address holds everything needed except whether the answer is audio;
 * usage is always sent.
 */
final class GeminiProtocol implements UpstreamProtocol {
  private static final String MODELS = "/models/";
  private static final String SOUND = "sound";
  private static final String WHOLE = "generateContent";
  private static final String STREAM = "streamGenerateContent";
  private static final byte[] KEEP_ALIVE = utf8(": SIMULATED PROCESSING\n\n");
  private static final byte[] BROKEN = utf8("data: {\"candidates\":[{\"conte\n\n");

  @Override
  public @Nullable Asked parseRequest(ReceivedRequest request) {
    String path = request.path();
    int query = path.indexOf('?');
    String place = query < 0 ? path : path.substring(0, query);
    int models = place.lastIndexOf(MODELS);
    int method = place.lastIndexOf(':');
    RequestScanner requestScanner = RequestScanner.of(request.body());
    if (models < 0 || method < models || requestScanner == null) {
      return null;
    }
    String called = place.substring(method + 1);
    if (!called.equals(WHOLE) && !called.equals(STREAM)) {
      return null;
    }
    String model = place.substring(models + MODELS.length(), method);
    String generation = requestScanner.member("generationConfig");
    boolean sound = generation != null && generation.contains("\"speechConfig\"");
    return new Asked(
        URLDecoder.decode(model, StandardCharsets.UTF_8),
        called.equals(STREAM),
        true,
        sound ? SOUND : "");
  }

  @Override
  public Spoken answer(Script script, Asked asked) {
    return new SimulatedGeminiFrames(script, asked.model(), asked.detail().equals(SOUND));
  }

  @Override
  public byte[] keepAlive() {
    return KEEP_ALIVE;
  }

  @Override
  public byte[] broken() {
    return BROKEN;
  }

  @Override
  public byte[] error(String json) {
    return utf8("data: " + json + "\n\n");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
