package io.strowger.destinations;

import io.strowger.destinations.OtlpTarget.Dialect;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Puts each call as one file into a bucket of S3, or of a service that speaks like it: the JSON
 * form of OTLP under {@code <pathTemplate>/<trace id>-<milliseconds>.json}. Calls of one trace that
 * came in the same millisecond share a file. With an {@code endpoint} the bucket is the first part
 * of the path. Immutable.
 */
final class S3Exporter implements DestinationExporter {
  private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{1,254}");
  private static final Pattern REGION = Pattern.compile("[a-z0-9-]{1,64}");
  private static final String USUAL_REGION = "us-east-1";
  private static final String UNNAMED = "unnamed";
  private static final String TEST_FILE = "connection-test.json";

  private final AwsSignature signature;
  private final @Nullable String token;
  private final URI bucket;
  private final String prefix;
  private final String template;
  private final ConfigValues config;

  S3Exporter(ConfigValues config) {
    this.config = config;
    String name = config.matching("bucketName", BUCKET, "the name of a bucket");
    String region = config.text("region", USUAL_REGION);
    if (!REGION.matcher(region).matches()) {
      throw new IllegalArgumentException("region must be the name of a region");
    }
    String endpoint = config.optional("endpoint");
    if (endpoint != null) {
      bucket = ConfigValues.below(ConfigValues.uri("endpoint", endpoint), "/" + name);
    } else if (name.contains(".")) { // no certificate is for a name with more parts
      bucket = URI.create("https://s3." + region + ".amazonaws.com/" + name);
    } else {
      bucket = URI.create("https://" + name + ".s3." + region + ".amazonaws.com");
    }
    signature =
        new AwsSignature(config.text("accessKeyId"), config.text("secretAccessKey"), region);
    token = config.optional("sessionToken");
    prefix = config.any("prefix");
    template = config.any("pathTemplate");
  }

  @Override
  public List<ExportRequest> export(List<CallTrace> calls, Instant now) {
    var files = new LinkedHashMap<String, List<CallTrace>>();
    var requests = new ArrayList<ExportRequest>();
    for (int i = 0, before = 0; i < calls.size(); i++) {
      String path = path(calls.get(i));
      List<CallTrace> of = files.computeIfAbsent(path, absent -> new ArrayList<>());
      of.add(calls.get(i));
      if (i + 1 == calls.size() || !path.equals(path(calls.get(i + 1)))) {
        // requests are in the order of the calls: a file that others came between is put again
        Json.Obj spans = OtlpJson.of(OtlpSpans.request(of, Map.of(), Dialect.PLAIN));
        requests.add(put(path, spans.toBytes(), now, i + 1 - before));
        before = i + 1;
      }
    }
    return requests;
  }

  /** Puts one small file, which is written over by the next test. */
  @Override
  public ConnectionTest test(Instant now) {
    ExportRequest put = put(joined(prefix) + TEST_FILE, Json.Obj.EMPTY.toBytes(), now, 0);
    return new ConnectionTest(
        new ExportRequest(
            put.method(),
            put.uri(),
            ConfigValues.ofTest(put.headers()),
            put.contentType(),
            put.body(),
            0),
        false);
  }

  private String path(CallTrace call) {
    ZonedDateTime at = call.result().started().atZone(ZoneOffset.UTC);
    CallTrace.Identity identity = call.details().identity();
    String year = String.format(Locale.ROOT, "%04d", at.getYear());
    String month = String.format(Locale.ROOT, "%02d", at.getMonthValue());
    String day = String.format(Locale.ROOT, "%02d", at.getDayOfMonth());
    String folder =
        template
            .replace("{prefix}", prefix)
            .replace("{date}", year + "-" + month + "-" + day)
            .replace("{year}", year)
            .replace("{month}", month)
            .replace("{day}", day)
            .replace("{apiKeyName}", identity == null ? UNNAMED : plain(identity.keyName()));
    return joined(folder)
        + call.span().traceId()
        + "-"
        + call.result().started().toEpochMilli()
        + ".json";
  }

  /** The name of a key is one part of a path, whatever is in it. */
  private static String plain(String name) {
    String plain = name.replaceAll("[^A-Za-z0-9._-]", "_");
    return plain.isBlank() || plain.matches("\\.+") ? UNNAMED : plain;
  }

  /** Without empty parts, and with a slash at its end unless it is empty. */
  private static String joined(String folder) {
    var path = new StringBuilder();
    for (String part : folder.split("/")) {
      if (!part.isEmpty() && !part.equals(".") && !part.equals("..")) {
        path.append(part).append('/');
      }
    }
    return path.toString();
  }

  private ExportRequest put(String key, byte[] body, Instant now, int calls) {
    var encoded = new StringBuilder();
    for (String part : key.split("/")) {
      encoded.append('/').append(encoded(part));
    }
    URI uri = ConfigValues.below(bucket, encoded.toString());
    var signed = new TreeMap<String, String>();
    signed.put("host", uri.getRawAuthority());
    signed.put("x-amz-content-sha256", AwsSignature.sha256(body));
    signed.put("x-amz-date", AwsSignature.time(now));
    if (token != null) {
      signed.put("x-amz-security-token", token);
    }
    var headers = new LinkedHashMap<String, String>(signed);
    headers.remove("host"); // which the transport writes
    headers.put("Authorization", signature.authorization("PUT", uri.getRawPath(), "", signed));
    return new ExportRequest(
        Transport.Method.PUT, uri, config.headers(headers), Transport.Request.JSON, body, calls);
  }

  /** As signatures have it: a space is %20, and only letters, digits and -._~ stand as they are. */
  private static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }
}
