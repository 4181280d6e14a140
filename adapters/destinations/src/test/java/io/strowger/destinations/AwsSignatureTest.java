package io.strowger.destinations;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Tests the signature against the examples of "Authenticating Requests: Using the Authorization
 * Header (AWS Signature Version 4)" in the API reference of Amazon S3, with the credentials
 * published there.
 */
@DisplayName("An AWS signature, version 4,")
class AwsSignatureTest {
  private static final String HOST = "examplebucket.s3.amazonaws.com";
  private static final String EMPTY = AwsSignature.sha256(new byte[0]);

  private static String signature(
      String method, String path, String query, String hash, Map<String, String> more) {
    var headers = new TreeMap<String, String>(more);
    headers.put("host", HOST);
    headers.put("x-amz-content-sha256", hash);
    headers.put("x-amz-date", "20130524T000000Z");
    String authorization =
        new AwsSignature(
                "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "us-east-1")
            .authorization(method, path, query, headers);
    assertThat(authorization)
        .startsWith(
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + "SignedHeaders="
                + String.join(";", headers.keySet())
                + ",Signature=");
    return authorization.substring(authorization.lastIndexOf('=') + 1);
  }

  @Test
  @DisplayName("equals the published one for GET of an object")
  void get() {
    assertThat(EMPTY).isEqualTo("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assertThat(signature("GET", "/test.txt", "", EMPTY, Map.of("range", "bytes=0-9")))
        .isEqualTo("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  }

  @Test
  @DisplayName("equals the published one for PUT of an object")
  void put() {
    String hash = AwsSignature.sha256("Welcome to Amazon S3.".getBytes(StandardCharsets.UTF_8));
    assertThat(hash).isEqualTo("44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072");
    assertThat(
            signature(
                "PUT",
                "/test%24file.text",
                "",
                hash,
                Map.of(
                    "date",
                    "Fri, 24 May 2013 00:00:00 GMT",
                    "x-amz-storage-class",
                    "REDUCED_REDUNDANCY")))
        .isEqualTo("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  }

  @Test
  @DisplayName("equals the published ones for requests about a bucket")
  void bucket() {
    assertThat(signature("GET", "/", "lifecycle=", EMPTY, Map.of()))
        .isEqualTo("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    assertThat(signature("GET", "/", "max-keys=2&prefix=J", EMPTY, Map.of()))
        .isEqualTo("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
  }
}
