//! Sentences that fix the scale: what each of them is worth is what a sentence of the same sense is worth.

use std::sync::LazyLock;

use mindfile_model::{EmbeddedTable, Vector};

/// How many of the nearest anchors are asked.
const ASKED: usize = 7;
/// How much nearer an anchor must be to count e times as much.
const STEEPNESS: f32 = 12.0;

/// A mean lies nearer to the middle than what it is the mean of.
const MIDDLE: f32 = 0.55;
const STRETCH: f32 = 1.12;

/// The salience of the nearest anchors, the nearer the more; `None` for a text the table does not know.
pub(super) fn nearest(text: &str) -> Option<f32> {
    let vector = embed(text)?;
    let mut near: Vec<(f32, f32)> =
        ANCHORS.iter().map(|(salience, anchor)| (anchor.cosine(&vector), *salience)).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let weights = near.iter().take(ASKED).map(|(cosine, salience)| ((STEEPNESS * cosine).exp(), salience));
    let (total, sum) = weights.fold((0.0, 0.0), |(total, sum), (w, s)| (total + w, sum + w * s));
    (total > 0.0).then(|| (MIDDLE + STRETCH * (sum / total - MIDDLE)).clamp(0.1, 0.99))
}

fn embed(text: &str) -> Option<Vector> {
    let table = EmbeddedTable::open();
    table.embed_tokens(&table.tokens(text))
}

static ANCHORS: LazyLock<Vec<(f32, Vector)>> = LazyLock::new(|| {
    let bands = [(0.95, DEFINING), (0.8, IMPORTANT), (0.55, ROUTINE), (0.25, MINOR)];
    let of = |(salience, lines): (f32, &'static str)| {
        lines.lines().filter_map(move |line| Some((salience, embed(line.trim())?)))
    };
    bands.into_iter().flat_map(of).collect()
});

const DEFINING: &str = "his wife is pregnant with their first baby
    her grandmother died and the funeral is on Monday
    he was fired from his job
    she left the firm to found a company of her own
    they broke up after ten years together
    he proposed to his girlfriend and they are engaged
    the doctor told her that she has cancer
    he became the chief executive of the corporation
    she was promoted to director
    his brother was killed in an accident
    she is a doctor by profession and grew up in Kenya
    he is deaf and uses sign language
    they adopted a son
    she retires after thirty years with the company
    he moves to another country for a new career
    she is Muslim and prays five times a day
    he had a heart attack and is in hospital
    her parents are divorced
    he was made a partner in the business
    she lost her job in the restructuring
    he has two daughters and a wife named Anna
    a colleague resigned and leaves next week";

const IMPORTANT: &str = "the team decided to rewrite the product in another language
    the release has to be ready before the fair in autumn
    a new manager takes over the project
    an engineer moves to another team
    the customer signed the contract for two years
    management approved the investment
    the deadline was moved to October
    a data breach exposed the records of customers
    the whole site was offline for hours
    the authorities demand that personal data is deleted
    we chose a different database as the standard for everything
    the partner terminated the agreement
    the company stops supporting the old product
    lawyers must review the terms before the launch
    she is responsible for the budget from now on
    two developers were hired for the platform team
    the strategy for next year puts mobile first
    the investor wants results by the end of the quarter
    the project was cancelled
    he leads the redesign
    all staff must complete the training by March
    a vulnerability in the login needs an urgent fix";

const ROUTINE: &str = "changed the timeout of the worker to thirty seconds
    fixed a crash in the parser
    the service writes its logs to a file
    the database runs on version fifteen
    added a column to the table
    upgraded the library to the latest version
    the cron job runs every night
    wrote tests for the import module
    the endpoint returns a list of items as JSON
    deployed the new build to the test server
    moved the configuration into an environment variable
    reviewed a pull request
    the upload is limited to ten megabytes
    removed unused code
    the queue holds a thousand messages
    files are compressed before they are stored
    the token is valid for one hour
    renamed a function and updated its callers
    rotated the credentials of the server
    the script skips empty rows
    the cluster has three nodes with eight cores
    increased the memory of the container";

const MINOR: &str = "he likes his coffee black
    it is cold and cloudy outside
    she prefers the dark theme
    the printer has no paper at the moment
    went for a walk at noon
    he thinks the button is a little too big
    the line at the bakery was long
    is stuck in traffic and ten minutes late
    watched a series in the evening
    the browser is slow just now
    she would like the window closed
    he had a sandwich for lunch
    the chair squeaks
    listens to music while working
    the battery is at twenty percent
    finds the colour of the logo ugly
    took the tram because of the rain
    the room is occupied until four
    he is tired today
    she enjoys gardening
    the screen is a bit too bright
    is waiting for a reply";
