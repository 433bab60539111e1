// The settings of an experiment, as plain data with their defaults. Key, rule and help of each
// field are in config/schema.cc. Names of scores, cells and optimizers are text here; the rooms
// with the tables of these look them up.
#pragma once

#include <cstdint>
#include <string>

namespace heed {

struct RunConfig {
  std::string dir;  // run directory
  uint64_t seed = 1;
  int threads = 0;                // 0: all usable cores
  std::string device = "auto";    // auto | cpu | gpu
  std::string precision = "f32";  // f32 | bf16
  bool force_precision = false;
};

// Parallel text: two files with one sentence per line, or one file with a tab between the sides.
struct TextFiles {
  std::string source, target, tsv;
};

struct DataConfig {
  TextFiles train, valid;
  std::string tokenizer = "sentencepiece";  // sentencepiece | word
  std::string vocab_type = "unigram";       // unigram | bpe (SentencePiece only)
  int vocab_size = 8000;     // pieces per vocabulary; word: at most this many, without the rarest
  bool shared_vocab = true;  // one vocabulary for both sides
  std::string vocab;         // a ready SentencePiece model for both sides; "" = train one
  std::string source_vocab, target_vocab;  // the same, one per side
  int max_length = 100;  // tokens per side, </s> not counted; longer pairs are left out of training
  bool lowercase = false;
};

struct EncoderConfig {
  std::string kind = "rnn";
  std::string cell = "gru";  // gru | lstm
  int layers = 1;
  int hidden = 256;  // per direction
  bool bidirectional = true;
};

struct DecoderConfig {
  std::string kind = "rnn";
  std::string style = "bahdanau";  // bahdanau | luong
  std::string cell = "gru";
  int layers = 1;
  int hidden = 512;
  int readout = 0;  // size before the output projection; 0: embedding if that is tied, else hidden
  // Feed the attentional vector (luong) or the readout (bahdanau) into the next step.
  bool input_feeding = true;
};

struct AttentionConfig {
  std::string score = "additive";  // none | dot | scaled_dot | general | additive | concat
  int size = 512;                  // A of additive and concat
};

struct ModelConfig {
  EncoderConfig encoder;
  DecoderConfig decoder;
  AttentionConfig attention;
  int embedding = 256;
  std::string tied_embeddings = "none";  // none | target | all (all needs data.shared_vocab)
};

struct DropoutConfig {
  double embedding = 0.0, states = 0.0, output = 0.0;
  double recurrent = 0.0;  // variational: one mask per sentence for h(t-1) at every step
  double word = 0.0;       // of whole words, on both sides
};

struct TrainConfig {
  int batch_tokens = 2000;         // padded tokens per batch, of the longer side
  int batch_sentences = 0;         // 0: by tokens; else sentences per batch
  int pool_batches = 50;           // batches whose pairs are sorted by length together
  std::string optimizer = "adam";  // adam | sgd | adadelta
  double learning_rate = 0.001;
  double momentum = 0.0;                              // sgd
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;  // adam
  double rho = 0.95, adadelta_epsilon = 1e-6;         // adadelta
  std::string schedule = "constant";                  // constant | inverse_sqrt | linear | plateau
  int warmup = 0;                                     // updates of linear warm-up
  double decay_factor = 0.5;                          // plateau
  int decay_patience = 0;  // validations without improvement before a decay
  double min_learning_rate = 0.0;
  double clip_norm = 1.0;
  double weight_average = 0.0;  // decay of the moving average of the weights; 0: none
  double label_smoothing = 0.0;
  DropoutConfig dropout;
  int epochs = 20;              // 0: no limit
  int64_t updates = 0;          // 0: no limit
  int minutes = 0;              // 0: no limit
  int valid_every = 500;        // updates
  int report_every = 50;        // updates
  int save_every = 0;           // updates between last.heed besides those at validations; 0: none
  std::string metric = "bleu";  // bleu | cross_entropy | perplexity
  int patience = 5;             // validations without improvement before the run stops; 0: no limit
  int samples = 4;  // validation sentences kept with translation and attention at each validation
  int valid_beam = 1;
};

struct DecodeConfig {
  int beam = 5;
  double length_penalty = 0.6;
  std::string length_penalty_form = "gnmt";  // gnmt | power
  double word_reward = 0;
  double coverage_penalty = 0;
  int batch_tokens = 2000;
  double max_length_ratio = 3.0;  // at most ratio * source length + max_length_extra target tokens
  int max_length_extra = 10;
  int max_length = 0;           // 0: no further limit
  double min_length_ratio = 0;  // at least ratio * source length target tokens
  int min_length = 0;
  int block_ngram = 0;  // 0: n-grams may repeat
};

struct Config {
  RunConfig run;
  DataConfig data;
  ModelConfig model;
  TrainConfig train;
  DecodeConfig decode;
};

}  // namespace heed
