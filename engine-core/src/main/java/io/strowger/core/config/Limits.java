package io.strowger.core.config;

/**
 * What a request may ask of the parser.
 *
 * @param maxRequestBytes most bytes of a request body, 1 to 2,000,000,000
 * @param maxBatchBytes most bytes of a batch, 1 to 1,000,000,000,000
 * @param depth most objects and arrays inside each other, 1 to 1,000
 * @param stringBytes most bytes of one string, 1 to 2,000,000,000
 * @param numberChars most characters of one number, 1 to 1,000
 * @param problems most problems named in one refusal, 1 to 10,000
 */
public record Limits(
    int maxRequestBytes,
    long maxBatchBytes,
    int depth,
    int stringBytes,
    int numberChars,
    int problems) {}
