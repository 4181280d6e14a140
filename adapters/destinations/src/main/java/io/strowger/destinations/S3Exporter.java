package io.strowger.destinations;

import io.strowger.destinations.OtlpTarget.Conventions;
import io.strowger.spi.json.Json;
import io.strowger.spi.observe.CallTrace;
import io.strowger.spi.observe.DestinationExporter;
import io.strowger.spi.observe.ExportRequest;
import io.strowger.spi.provider.Transport;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes each call as one object into a bucket of S3 or of a compatible service: the JSON form of
 * OTLP under {@code <pathTemplate>/<trace id>-<milliseconds>-<span id>.json}. With an {@code
 * endpoint} the bucket is a segment of the path instead of a part of the host name. Immutable.
 */
final class S3Exporter implements DestinationExporter {
  private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,254}");

  /** The bucket names that can be part of a host name that TLS verifies. */
  private static final Pattern HOST_BUCKET = Pattern.compile("[a-z0-9][a-z0-9-]{1,62}");

  private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,64}");
  private static final String SIGNED_PREFIX = "x-amz-";
  private static final String DEFAULT_REGION = "us-east-1";
  private static final String UNNAMED = "unnamed";
  private static final String TEST_FILE = "connection-test.json";

  private final AwsSignature signature;
  private final @Nullable String token;
  private final URI bucketUri;
  private final String prefix;
  private final String template;
  private final ConfigValues config;

  S3Exporter(ConfigValues config) {
    this.config = config;
    String name = config.matching("bucketName", BUCKET, "the name of a bucket");
    String region = config.text("region", DEFAULT_REGION);
    if (!REGION.matcher(region).matches()) {
      throw new IllegalArgumentException("region must be the name of a region");
    }
    bucketUri = bucketUri(config.textOrNull("endpoint"), name, region);
    signature =
        new AwsSignature(config.text("accessKeyId"), config.text("secretAccessKey"), region);
    token = config.textOrNull("sessionToken");
    prefix = config.textOrEmpty("prefix");
    template = config.textOrEmpty("pathTemplate");
  }

  private static URI bucketUri(@Nullable String endpoint, String name, String region) {
    if (endpoint != null) {
      if (endpoint.indexOf('?') >= 0) {
        throw new IllegalArgumentException("endpoint must be an address without a query");
      }
      return ConfigValues.appendPath(ConfigValues.uri("endpoint", endpoint), "/" + name);
    }
    String host =
        "s3." + region + (region.startsWith("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
    // Amazon's certificates cover no bucket name with a dot, and a host name has neither _ nor
    // upper case.
    return HOST_BUCKET.matcher(name).matches()
        ? URI.create("https://" + name + "." + host)
        : URI.create("https://" + host + "/" + name);
  }

  @Override
  public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
    var requests = new ArrayList<ExportRequest>(calls.size());
    for (CallTrace call : calls) {
      Json.Obj spans = OtlpJson.of(OtlpSpans.request(List.of(call), Map.of(), Conventions.GEN_AI));
      requests.add(putRequest(key(call), PortableJson.bytes(spans), now, 1));
    }
    return requests;
  }

  /** Returns a test that writes one small object, which the next test overwrites. */
  @Override
  public ConnectionTest test(Instant now) {
    ExportRequest upload =
        putRequest(normalize(prefix) + TEST_FILE, Json.Obj.EMPTY.toBytes(), now, 0);
    return new ConnectionTest(
        new ExportRequest(
            upload.method(),
            upload.uri(),
            ConfigValues.testHeaders(upload.headers()),
            upload.contentType(),
            upload.body(),
            0),
        false);
  }

  /**
   * Returns the key of a call's object. The contract names it {@code {traceId}-{timestamp}.json};
   * the span id is appended, because calls of one trace may start in the same millisecond at two
   * gateways or in two batches, and an object replaces another of the same name. A call that is
   * sent again has the same key.
   */
  private String key(CallTrace call) {
    ZonedDateTime started = call.result().arrivedAt().atZone(ZoneOffset.UTC);
    CallTrace.Identity identity = call.details().identity();
    String year = String.format(Locale.ROOT, "%04d", started.getYear());
    String month = String.format(Locale.ROOT, "%02d", started.getMonthValue());
    String day = String.format(Locale.ROOT, "%02d", started.getDayOfMonth());
    String folder =
        template
            .replace("{prefix}", prefix)
            .replace("{date}", year + "-" + month + "-" + day)
            .replace("{year}", year)
            .replace("{month}", month)
            .replace("{day}", day)
            .replace("{apiKeyName}", identity == null ? UNNAMED : toSegment(identity.keyName()));
    return normalize(folder)
        + call.span().traceId()
        + "-"
        + call.result().arrivedAt().toEpochMilli()
        + "-"
        + call.span().spanId()
        + ".json";
  }

  /** Returns the name of an API key as one segment of a path. */
  private static String toSegment(String name) {
    String segment = name.replaceAll("[^A-Za-z0-9._-]", "_");
    return segment.isBlank() || segment.matches("\\.+") ? UNNAMED : segment;
  }

  /**
   * Returns a folder without empty segments, {@code .} and {@code ..}, ending in a slash unless
   * empty.
   */
  private static String normalize(String folder) {
    var path = new StringBuilder();
    for (String part : folder.split("/")) {
      if (!part.isEmpty() && !part.equals(".") && !part.equals("..")) {
        path.append(part).append('/');
      }
    }
    return path.toString();
  }

  private ExportRequest putRequest(String key, byte[] body, Instant now, int calls) {
    var encodedPath = new StringBuilder();
    for (String part : key.split("/")) {
      encodedPath.append('/').append(percentEncode(part));
    }
    URI uri = ConfigValues.appendPath(bucketUri, encodedPath.toString());
    var signedHeaders = new TreeMap<String, String>();
    if (token != null) {
      signedHeaders.put("x-amz-security-token", token);
    }
    config
        .headers(Map.of())
        .forEach(
            (name, value) -> {
              String lowerCaseName = name.toLowerCase(Locale.ROOT);
              if (lowerCaseName.startsWith(SIGNED_PREFIX)) { // AWS refuses it unsigned
                signedHeaders.put(lowerCaseName, value);
              }
            });
    // These describe this request, so they replace what the config says.
    signedHeaders.put("host", uri.getRawAuthority());
    signedHeaders.put("x-amz-content-sha256", AwsSignature.sha256(body));
    signedHeaders.put("x-amz-date", AwsSignature.time(now));
    var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    headers.put(
        "Authorization", signature.authorization("PUT", uri.getRawPath(), "", signedHeaders));
    headers.putAll(config.headers(Map.of()));
    headers.putAll(signedHeaders);
    headers.remove("host"); // the transport writes it
    return new ExportRequest(
        Transport.Method.PUT, uri, headers, Transport.Request.JSON, body, calls);
  }

  /** Percent-encodes all but letters, digits and {@code -._~}, as the signature demands. */
  private static String percentEncode(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }
}
