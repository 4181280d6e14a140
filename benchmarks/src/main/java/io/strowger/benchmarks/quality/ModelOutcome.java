package io.strowger.benchmarks.quality;

/**
 * The result of one model on one question.
 *
 * @param score the score, from 0 (wrong) to 1 (right)
 * @param costUsd the cost of the answer in US dollars, at least 0
 */
record ModelOutcome(double score, double costUsd) {}
