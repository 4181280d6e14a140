package io.strowger.benchmarks.quality;

/**
 * What one model achieved on one question.
 *
 * @param score 0 (wrong) to 1 (right)
 * @param costUsd what the answer cost, in US dollars; at least 0
 */
record ModelOutcome(double score, double costUsd) {}
