package io.strowger.destinations;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes the {@code Authorization} header of requests to S3 and compatible services, with AWS
 * Signature Version 4. Tested against the examples that AWS publishes. {@link #toString} shows no
 * secret.
 *
 * @param region such as {@code us-east-1}
 */
record AwsSignature(String accessKeyId, String secretAccessKey, String region) {
  private static final String ALGORITHM = "AWS4-HMAC-SHA256";
  private static final String SERVICE = "s3";
  private static final String REQUEST = "aws4_request";
  private static final String HMAC = "HmacSHA256";

  private static final Pattern SPACES = Pattern.compile(" +");

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  /** Returns a time in the form of {@code x-amz-date}. */
  static String time(Instant now) {
    return TIME.format(now);
  }

  /** Returns SHA-256 in hex digits, the form of {@code x-amz-content-sha256}. */
  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  /**
   * Returns the value of {@code Authorization}.
   *
   * @param path percent-encoded
   * @param query canonical: names sorted, percent-encoded; empty for none
   * @param headers the headers to sign, including {@code host}, {@code x-amz-date} and {@code
   *     x-amz-content-sha256}
   */
  String authorization(
      String method, String path, String query, SortedMap<String, String> headers) {
    var signedHeaders = new TreeMap<String, String>();
    headers.forEach(
        (name, value) -> signedHeaders.put(name.toLowerCase(Locale.ROOT), canonicalValue(value)));
    String time = String.valueOf(signedHeaders.get("x-amz-date"));
    String date = time.substring(0, 8);
    String names = String.join(";", signedHeaders.keySet());
    var canonicalRequest = new StringBuilder();
    canonicalRequest
        .append(method)
        .append('\n')
        .append(path)
        .append('\n')
        .append(query)
        .append('\n');
    signedHeaders.forEach(
        (name, value) -> canonicalRequest.append(name).append(':').append(value).append('\n'));
    canonicalRequest
        .append('\n')
        .append(names)
        .append('\n')
        .append(signedHeaders.get("x-amz-content-sha256"));
    String scope = String.join("/", date, region, SERVICE, REQUEST);
    String toSign =
        String.join(
            "\n",
            ALGORITHM,
            time,
            scope,
            sha256(canonicalRequest.toString().getBytes(StandardCharsets.UTF_8)));
    String signature = HexFormat.of().formatHex(hmac(signingKey(date), toSign));
    return ALGORITHM
        + " Credential="
        + accessKeyId
        + "/"
        + scope
        + ",SignedHeaders="
        + names
        + ",Signature="
        + signature;
  }

  /** Returns a stripped header value with one space for each run of spaces, as AWS signs it. */
  private static String canonicalValue(String value) {
    return SPACES.matcher(value.strip()).replaceAll(" ");
  }

  private byte[] signingKey(String date) {
    byte[] key = ("AWS4" + secretAccessKey).getBytes(StandardCharsets.UTF_8);
    for (String part : new String[] {date, region, SERVICE, REQUEST}) {
      key = hmac(key, part);
    }
    return key;
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has HMAC-SHA256", impossible);
    }
  }

  @Override
  public String toString() {
    return "AwsSignature[" + region + "]";
  }
}
